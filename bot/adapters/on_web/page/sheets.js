// The dialogs: an enlarged picture, a person, a channel.

import { middle, pictured, tightest } from "./board.js";
import { byId } from "./dom.js";
import { signed } from "./signs.js";
import { say, tongues } from "./words.js";

const EASY_PX = 44; // the room of a part of a large board, on the screen
const MOST_ZOOM = 4;
const LEAST_ZOOM = 1.1; // less is not worth a button
const LARGER = 2; // of a picture whose parts are easy to tap anyway

const viewer = byId("viewer");
const frame = byId("viewer-frame");
const large = byId("viewer-picture");

let shown = null; // the message whose picture is shown
let act = null;
let waits = false; // for the answer to a tap, which is shown here too
let isLarge = false; // so large that the parts are easy to tap: more than the window may show
let around = null; // the point of the picture around which it was enlarged

/** Show the picture of a message as large as the window. With a `point` of it, show its parts large enough for a finger
 * and that point in the middle. `actions` has the actions of app.js. */
export function enlarge(message, actions, point = null) {
  act = actions;
  isLarge = point !== null;
  around = point;
  viewer.querySelector("details").open = false;
  if (!viewer.open) {
    if (!history.state?.enlarged) history.pushState({ enlarged: true }, ""); // "Back" closes it
    viewer.showModal();
    byId("viewer-close").focus();
  }
  show(message);
}

function show(message) {
  const { image, parts, closed } = message;
  const isNext = waits || message.id !== shown?.id; // the answer to a tap may be a change of the same message
  shown = message;
  waits = false;
  const tap = (payload, event) => {
    if (act.isSlip(event) || !act.press(message, payload)) return false;
    around = middle(parts.find((part) => part.payload === payload).outline);
    waits = true;
    return true;
  };
  const hadFocus = large.contains(document.activeElement);
  const larger = (event, point) => act.isSlip(event) || enlarge(message, act, point);
  const miss = (event, point) => act.miss(event, message, point);
  large.replaceChildren(...pictured(image, parts, closed, tap, miss, larger));
  large.classList.toggle("unmarked", Boolean(message.isUnmarked));
  byId("viewer-ask").replaceChildren(...asked(message));
  large.style.setProperty("--ratio", String(image.width / image.height || 1));
  large.style.setProperty("--size", `${image.width}px`);
  byId("viewer-words").replaceChildren(...signed(image.alt));
  viewer.querySelector("details").hidden = !image.alt;
  zoom(isNext);
  if (hadFocus) large.querySelector(".part")?.focus();
}

/** Return the question that the parts of a message answer: the line that calls its player, or the words of a menu
 * without those about its pages of buttons, as the picture has the parts of all pages. */
function asked({ call, title, text, parts }) {
  if (!parts.length) return [];
  const lines = [title, ...(text ?? "").split("\n")].filter((line) => line && !/[▶◀]/.test(line));
  return signed(call ? `${call.before}${call.name}${call.after}` : lines.join("\n"));
}

/** Make the picture as large as it should be (`isNext`: it shows the next choices), with the point of interest in the middle of the window. */
function zoom(isNext = false) {
  const { image, parts } = shown;
  large.style.setProperty("--zoom", "1");
  const scale = large.offsetWidth / (image.width || 1);
  const needed = parts.length ? EASY_PX / tightest(parts) / scale : 1;
  if (isNext && needed < LEAST_ZOOM) isLarge = false; // the next choices are easy to tap in the whole picture
  const most = Math.min(MOST_ZOOM, Math.max(needed, Math.min(parts.length ? LARGER : Infinity, 1 / scale)));
  const factor = isLarge && most > 1 ? most : 1;
  large.style.setProperty("--zoom", String(factor));
  const button = byId("viewer-zoom");
  button.hidden = !image.width || most < LEAST_ZOOM;
  button.querySelector("span").textContent = say(isLarge ? "zoom.out" : "zoom.in");
  if (factor === 1) return;
  const [x, y] = inSight(around ?? [image.width / 2, image.height / 2], parts, factor * scale);
  frame.scrollTo(x * factor * scale - frame.clientWidth / 2, y * factor * scale - frame.clientHeight / 2);
}

/** Return the point, or the nearest middle of a part if no part is in sight around it. */
function inSight([x, y], parts, scale) {
  const half = [frame.clientWidth, frame.clientHeight].map((length) => length / 2 / scale);
  const middles = parts.filter(({ beside }) => !beside).map(({ outline }) => middle(outline));
  const distance = (point) => Math.hypot(point[0] - x, point[1] - y);
  const isSeen = middles.some((point) => Math.abs(point[0] - x) < half[0] && Math.abs(point[1] - y) < half[1]);
  if (isSeen || !middles.length) return [x, y];
  return middles.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}

/** Show a changed message if its picture is enlarged, or a new one if it answers a tap here (`isAnswer`). If a tap leads
 * to a choice that is not on the board, the dialog closes: the buttons for it are in the message. */
export function refresh(message, isAnswer = false) {
  if (!viewer.open || !(message.id === shown?.id || (isAnswer && waits))) return;
  if (message.image && (message.parts.length || !(waits && message.rows.length))) show(message);
  else viewer.close();
}

/** Show words over the lower edge of an enlarged picture, until the next tap. */
export function tell(text) {
  byId("viewer-told").replaceChildren(...(viewer.open ? signed(text) : []));
}

/** Close the picture of a message that was removed. */
export function closeIfGone(id) {
  if (viewer.open && id === shown?.id) viewer.close();
}

/** Set up the dialogs. `addPerson(known)` and `addChannel(name)` take the entered values. */
export function prepare(addPerson, addChannel) {
  addEventListener("popstate", () => viewer.close());
  viewer.addEventListener("pointerdown", () => tell(""));
  viewer.addEventListener("close", () => tell(""));
  byId("viewer-close").addEventListener("click", () => viewer.close());
  byId("viewer-zoom").addEventListener("click", () => {
    isLarge = !isLarge;
    zoom();
  });
  frame.addEventListener("click", (event) => event.target === frame && viewer.close());
  addEventListener("resize", () => viewer.open && zoom());
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
