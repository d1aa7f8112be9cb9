// The dialogs: a picture enlarged, a person, a channel.

import { byId, make } from "./dom.js";
import { say, tongues } from "./words.js";

const viewer = byId("viewer");
const frame = byId("viewer-frame");
const size = byId("viewer-size");

/** Show a picture as large as the window, or in its full size. */
export function enlarge(image) {
  const element = byId("viewer-image");
  element.src = image.src;
  element.alt = image.alt;
  byId("viewer-words").textContent = image.alt;
  viewer.querySelector("details").open = false;
  viewer.querySelector("details").hidden = !image.alt;
  full(false);
  viewer.showModal();
  byId("viewer-close").focus();
}

/** A picture is not there any more: whoever looks at it large looks at the place again. */
export function gone(image) {
  if (viewer.open && byId("viewer-image").src === new URL(image.src, location).href) viewer.close();
}

function full(isFull) {
  viewer.classList.toggle("full", isFull);
  size.setAttribute("aria-pressed", String(isFull));
}

/** `addPerson(known)` and `addChannel(name)` are called when a sheet was filled in. */
export function prepare(addPerson, addChannel) {
  size.addEventListener("click", () => full(!viewer.classList.contains("full")));
  byId("viewer-image").addEventListener("click", () => full(!viewer.classList.contains("full")));
  byId("viewer-close").addEventListener("click", () => viewer.close());
  frame.addEventListener("click", (event) => event.target === frame && viewer.close());
  for (const sheet of document.querySelectorAll("dialog")) {
    sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
    sheet.querySelector(".cancel")?.addEventListener("click", () => sheet.close());
  }
  byId("person-form").addEventListener("submit", () => {
    const lang = byId("person-langs").querySelector(":checked")?.value || null;
    addPerson({ name: byId("person-name").value.toWellFormed(), lang, manages: byId("person-manages").checked });
  });
  byId("channel-form").addEventListener("submit", () => addChannel(byId("channel-name").value.toWellFormed()));
}

/** Ask for a person; one who is there already keeps the name. */
export function askPerson(person = null) {
  const name = byId("person-name");
  name.value = person?.name ?? "";
  name.readOnly = person !== null;
  byId("person-manages").checked = person?.manages ?? false;
  byId("person-sheet-title").textContent = person ? say("person.change", { name: person.name }) : say("person.add");
  byId("person-ok").textContent = say(person ? "save" : "add");
  const tags = [["", say("lang.browser")], ...tongues()];
  byId("person-langs").replaceChildren(
    ...tags.map(([tag, label]) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: "lang", value: tag, checked: (person?.lang ?? "") === tag }),
        make("span", {}, label),
      ),
    ),
  );
  byId("person-sheet").showModal();
}

export function askChannel() {
  byId("channel-name").value = "";
  byId("channel-sheet").showModal();
}
