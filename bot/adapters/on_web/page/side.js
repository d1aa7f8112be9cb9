// The side: channels and people. On a narrow screen it is a popover.

import { avatar, byId, icon, iconButton, make, named } from "./dom.js";
import { channelName, say } from "./words.js";

const narrow = matchMedia("(max-width: 820px), (max-height: 480px)");
const side = byId("side");
const entries = new Map(); // by key; they stay, as a press on an element that is replaced meanwhile makes no click

let shown = ""; // the place and person that were scrolled into sight last

/** Draw both lists. `view` is the state of app.js; `act` has look, become and change. */
export function drawSide(view, act) {
  fill(byId("channels"), view.places, (place) => channel(place, view, act));
  fill(byId("people"), view.people, (person) => somebody(person, view, act));
  if (shown !== `${view.place} ${view.person}`) toCurrent();
  shown = `${view.place} ${view.person}`;
  const isNews = (place) => place.id !== view.place && (view.unread.has(place.id) || place.called === view.person);
  byId("drawer-dot").hidden = !(view.waiting.size || view.places.some(isNews));
}

function fill(list, items, draw) {
  const drawn = items.map(draw);
  const isSame = drawn.length === list.children.length && drawn.every((item, index) => item === list.children[index]);
  if (!isSame) list.replaceChildren(...drawn);
}

function toCurrent() {
  for (const current of side.querySelectorAll("[aria-current]")) current.scrollIntoView({ block: "nearest" });
}

function entry(key, isCurrent, onclick, ...content) {
  if (!entries.has(key)) {
    entries.set(key, make("li", {}, make("button", { type: "button", class: "entry", onclick })));
  }
  const button = entries.get(key).firstChild;
  button.ariaCurrent = isCurrent ? "true" : null;
  button.replaceChildren(...content.filter(Boolean));
  return entries.get(key);
}

function channel(place, view, act) {
  const isHere = place.id === view.place;
  const unread = isHere ? 0 : (view.unread.get(place.id) ?? 0);
  const label = say("unread", { count: unread });
  return entry(
    place.id,
    isHere,
    () => act.look(place.id),
    place.private ? icon("lock") : make("span", { class: "hash", "aria-hidden": "true" }, "#"),
    make("span", { class: "name" }, place.private ? say("private") : named(channelName(place.name))),
    !isHere && place.called === view.person && make("span", { class: "turn" }, say("turn.mine")),
    unread && make("span", { class: "count", "aria-label": label }, String(Math.min(unread, 99))),
  );
}

function somebody(person, view, act) {
  const isMe = person.id === view.person;
  const isCalled = view.places.some((place) => place.id === view.place && place.called === person.id);
  const waiting = say("waiting", { name: person.name });
  const item = entry(
    person.id,
    isMe,
    () => act.become(person.id),
    avatar(person),
    make("span", { class: "name" }, named(person.name)),
    person.lang && make("span", { class: "tongue" }, person.lang),
    isCalled && make("span", { class: "turn" }, say(isMe ? "turn.mine" : "turn.theirs")),
    view.waiting.has(person.id) && make("span", { class: "dot", role: "img", "aria-label": waiting }),
  );
  const change = say("person.change", { name: person.name });
  if (item.lastChild.title !== change) {
    const onclick = () => act.change(person.id);
    item.replaceChildren(item.firstChild, iconButton("edit", change, { class: "icon change", onclick }));
  }
  return item;
}

// ---- the drawer ----------------------------------------------------------------------------------------------------

// At once: the event "toggle" comes so late that "Back" could leave the page.
side.addEventListener("beforetoggle", (event) => {
  if (event.newState === "open" && !history.state?.drawer) history.pushState({ drawer: true }, ""); // "Back" closes it
});
side.addEventListener("toggle", (event) => {
  if (event.newState === "closed") return;
  for (const list of side.querySelectorAll(".lists, .lists ul")) list.scrollTop = 0;
  toCurrent();
  side.querySelector("#people [aria-current]")?.focus({ preventScroll: true });
});
narrow.addEventListener("change", closeDrawer);
addEventListener("popstate", closeDrawer);
byId("me").addEventListener("click", () => {
  if (narrow.matches) side.showPopover();
  else byId("people").querySelector("button").focus();
});

export function closeDrawer() {
  side.hidePopover();
}
