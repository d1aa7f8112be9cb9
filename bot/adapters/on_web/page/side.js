// The side: channels, people, and the drawer that it becomes on a narrow screen.

import { avatar, byId, icon, make, named } from "./dom.js";
import { channelName, say } from "./words.js";

const narrow = matchMedia("(max-width: 820px)");
const side = byId("side");

// What stays as it is is not touched.
function patch(list, children) {
  const olds = [...list.children];
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  children.forEach((child, index) => {
    if (!olds[index]) list.append(child);
    else if (!olds[index].isEqualNode(child)) renew(olds[index], child);
  });
  for (const old of olds.slice(children.length)) old.remove();
  if (key) [...list.querySelectorAll("button")].find((each) => each.dataset.key === key)?.focus();
}

/** Let an entry become what `fresh` is. Its buttons stay where they are the same ones: a badge comes and goes between the
 * two halves of a click. */
function renew(old, fresh) {
  const [stay, come] = [old, fresh].map((each) => [...each.querySelectorAll("button")]);
  if (stay.length !== come.length || stay.some((each, index) => each.dataset.key !== come[index].dataset.key))
    return old.replaceWith(fresh);
  stay.forEach((each, index) => {
    if (each.isEqualNode(come[index])) return;
    for (const { name, value } of come[index].attributes) each.setAttribute(name, value);
    if (!come[index].hasAttribute("aria-current")) each.removeAttribute("aria-current");
    each.replaceChildren(...come[index].childNodes);
  });
}

let current = ""; // the place and the person that were brought into sight

/** `view` is what app.js knows; `act` has look, become and change. */
export function draw(view, act) {
  patch(
    byId("channels"),
    view.places.map((place) => channel(place, view, act)),
  );
  patch(
    byId("people"),
    view.people.map((person) => somebody(person, view, act)),
  );
  if (current !== `${view.place} ${view.person}`) toCurrent();
  current = `${view.place} ${view.person}`;
  const elsewhere = view.places.some(
    (place) => place.id !== view.place && (view.unread.has(place.id) || place.called === view.person),
  );
  byId("drawer-dot").hidden = !(elsewhere || view.waiting.size > 0);
}

/** Bring what is current into sight, each in its list. */
function toCurrent() {
  if (side.inert) return; // when the drawer opens
  for (const entry of side.querySelectorAll("[aria-current]")) entry.scrollIntoView({ block: "nearest" });
}

function channel(place, view, act) {
  const isHere = place.id === view.place;
  const unread = isHere ? 0 : (view.unread.get(place.id) ?? 0);
  const isCalled = !isHere && place.called === view.person;
  return make(
    "li",
    {},
    make(
      "button",
      {
        type: "button",
        class: ["entry", unread && "unread"].filter(Boolean).join(" "),
        "data-key": place.id,
        "aria-current": isHere && "true",
        onclick: () => act.look(place.id),
      },
      place.private ? icon("lock") : make("span", { class: "hash", "aria-hidden": "true" }, "#"),
      make("span", { class: "name" }, place.private ? say("private") : named(channelName(place.name))),
      isCalled ? make("span", { class: "turn" }, say("turn.mine")) : null,
      unread
        ? make("span", { class: "count", "aria-label": say("unread", { count: unread }) }, String(Math.min(unread, 99)))
        : null,
    ),
  );
}

function somebody(person, view, act) {
  const isMe = person.id === view.person;
  const isCalled = view.places.find((place) => place.id === view.place)?.called === person.id;
  const isWaiting = view.waiting.has(person.id);
  const change = say("person.change", { name: person.name });
  return make(
    "li",
    {},
    make(
      "button",
      {
        type: "button",
        class: "entry",
        "data-key": person.id,
        "aria-current": isMe && "true",
        onclick: () => act.become(person.id),
      },
      avatar(person),
      make("span", { class: "name" }, named(person.name)),
      person.lang ? make("span", { class: "tongue" }, person.lang) : null,
      isCalled ? make("span", { class: "turn" }, say(isMe ? "turn.mine" : "turn.theirs")) : null,
      isWaiting
        ? make("span", { class: "dot", role: "img", "aria-label": say("waiting", { name: person.name }) })
        : null,
    ),
    make(
      "button",
      {
        type: "button",
        class: "icon change",
        "data-key": `${person.id} change`,
        "aria-label": change,
        title: change,
        onclick: () => act.change(person),
      },
      icon("edit"),
    ),
  );
}

// ---- the drawer ----------------------------------------------------------------------------------------------------

export function prepare() {
  byId("drawer-open").addEventListener("click", () => drawer(true));
  byId("drawer-close").addEventListener("click", () => drawer(false));
  byId("shade").addEventListener("click", () => drawer(false));
  side.addEventListener("keydown", (event) => event.key === "Escape" && drawer(false));
  narrow.addEventListener("change", () => drawer(false));
  drawer(false);
}

/** Begin every list at its top, unless what is current is further down. */
function fromTop() {
  for (const list of side.querySelectorAll(".lists, .lists ul")) list.scrollTop = 0;
  toCurrent();
}

export function drawer(isOpen) {
  const wasOpen = side.classList.contains("open");
  isOpen = isOpen && narrow.matches;
  side.classList.toggle("open", isOpen);
  side.inert = narrow.matches && !isOpen;
  byId("main").inert = isOpen;
  byId("shade").hidden = !isOpen;
  byId("drawer-open").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) {
    fromTop();
    side.querySelector("#people [aria-current]")?.focus({ preventScroll: true });
  } else if (wasOpen && narrow.matches) byId("drawer-open").focus();
}
