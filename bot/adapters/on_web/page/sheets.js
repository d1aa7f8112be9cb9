// The dialogs: an enlarged picture, a person, a channel.

import { pictured } from "./board.js";
import { byId } from "./dom.js";
import { signed } from "./signs.js";
import { say, tongues } from "./words.js";

const viewer = byId("viewer");
const frame = byId("viewer-frame");

let shown = ""; // the message whose picture is shown
let press = null;
let waits = false; // for the answer to a tap, which is shown here too

/** Show the picture of a message as large as the window. `onpress(message, payload)` handles taps on its parts. */
export function enlarge(message, onpress) {
  press = onpress;
  show(message);
  viewer.querySelector("details").open = false;
  if (viewer.open) return;
  if (!history.state?.enlarged) history.pushState({ enlarged: true }, ""); // "Back" closes it
  viewer.showModal();
  byId("viewer-close").focus();
}

function show(message) {
  const { image, parts } = message;
  shown = message.id;
  waits = false;
  const choose = (payload) => {
    waits = true;
    return press(message, payload);
  };
  const hadFocus = byId("viewer-picture").contains(document.activeElement);
  byId("viewer-picture").replaceChildren(...pictured(image, parts, choose));
  byId("viewer-picture").classList.toggle("unmarked", Boolean(message.isUnmarked));
  byId("viewer-picture").style.setProperty("--ratio", String(image.width / image.height || 1));
  byId("viewer-picture").style.setProperty("--size", `${image.width}px`);
  byId("viewer-words").replaceChildren(...signed(image.alt));
  viewer.querySelector("details").hidden = !image.alt;
  if (hadFocus) byId("viewer-picture").querySelector(".part")?.focus();
}

/** Show a changed message if its picture is enlarged, or a new one if it answers a tap here (`isAnswer`). */
export function refresh(message, isAnswer = false) {
  if (!viewer.open || !(message.id === shown || (isAnswer && waits))) return;
  if (message.image) show(message);
  else viewer.close();
}

/** Close the picture of a message that was removed. */
export function closeIfGone(id) {
  if (viewer.open && id === shown) viewer.close();
}

/** Set up the dialogs. `addPerson(known)` and `addChannel(name)` take the entered values. */
export function prepare(addPerson, addChannel) {
  addEventListener("popstate", () => viewer.close());
  byId("viewer-close").addEventListener("click", () => viewer.close());
  frame.addEventListener("click", (event) => event.target === frame && viewer.close());
  for (const sheet of document.querySelectorAll("dialog")) {
    sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
    sheet.querySelector(".cancel")?.addEventListener("click", () => sheet.close());
  }
  byId("person-form").addEventListener("submit", () => {
    const lang = byId("person-lang").value || null;
    addPerson({ name: byId("person-name").value.toWellFormed(), lang, manages: byId("person-manages").checked });
  });
  byId("channel-form").addEventListener("submit", () => addChannel(byId("channel-name").value.toWellFormed()));
}

/** Ask for a person. A known person keeps the name. */
export function askPerson(person = null) {
  const name = byId("person-name");
  name.value = person?.name ?? "";
  name.readOnly = person !== null;
  byId("person-manages").checked = person?.manages ?? false;
  byId("person-sheet-title").textContent = person ? say("person.change", { name: person.name }) : say("person.add");
  byId("person-ok").textContent = say(person ? "save" : "add");
  const langs = [["", say("lang.browser")], ...tongues()];
  byId("person-lang").replaceChildren(...langs.map(([tag, label]) => new Option(label, tag)));
  byId("person-lang").value = person?.lang ?? "";
  byId("person-sheet").showModal();
}

export function askChannel() {
  byId("channel-name").value = "";
  byId("channel-sheet").showModal();
}
