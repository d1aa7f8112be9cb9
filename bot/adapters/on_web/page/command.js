// The command line: completion of commands and of their arguments, and the lines that were sent before.

import { byId, make } from "./dom.js";
import { signed } from "./signs.js";
import { say } from "./words.js";

const MOST = 2000; // characters that are sent

const line = byId("line");
const list = byId("completions");
const sent = [];
let items = [];
let at = -1;
let asked = 0;
let back = 0;
let ask;
let isClosed = true;
let isAwaited = false; // what is listed belongs to what was typed before
let isWished = false; // Tab was pressed, and takes the first that comes

/** `complete(text, n)` asks for completions, `send(text)` sends a line, `tell(text)` says that it was cut. */
export function prepare(complete, send, tell) {
  ask = () => {
    asked += 1;
    isClosed = false;
    isWished = false;
    isAwaited = line.value.startsWith("/");
    if (isAwaited) complete(line.value.slice(0, Math.min(line.selectionStart, MOST)).toWellFormed(), asked);
    else close();
  };
  line.addEventListener("input", ask);
  line.addEventListener("keydown", key);
  line.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus in the line
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    const isCut = line.value.trim().length > MOST;
    const text = line.value.trim().slice(0, MOST).toWellFormed();
    close();
    if (!text) return;
    if (sent.at(-1) !== text) sent.push(text);
    back = 0;
    line.value = "";
    send(text);
    if (isCut) tell(say("cut", { most: MOST }));
  });
}

/** Begin a line with this text. */
export function begin(text) {
  line.value = text;
  line.focus();
  ask();
}

/** Completions have come. Those of commands point at the first, so that Enter takes it; a whole command is sent. */
export function show({ n, items: found, names }) {
  if (n !== asked || isClosed) return;
  isAwaited = false;
  items = found.filter((item) => item.line !== line.value);
  list.replaceChildren(
    ...items.map((item, index) =>
      make(
        "li",
        { role: "option", id: `completion-${index}`, "aria-selected": "false", onclick: () => take(index) },
        make("span", { class: "label", dir: "auto" }, ...signed(item.label)),
        item.about ? make("span", { class: "about", dir: "auto" }, ...signed(item.about)) : null,
      ),
    ),
  );
  list.hidden = items.length === 0;
  line.setAttribute("aria-expanded", String(!list.hidden));
  list.scrollTop = 0;
  at = -1;
  const isWhole = found.some((item) => item.line.trimEnd() === line.value.trimEnd());
  point(names && !isWhole && items.length ? 0 : -1);
  if (isWished) take(first());
}

function close() {
  isClosed = true;
  isAwaited = false;
  items = [];
  at = -1;
  list.hidden = true;
  list.replaceChildren();
  line.setAttribute("aria-expanded", "false");
  line.removeAttribute("aria-activedescendant");
}

function point(index) {
  list.children[at]?.setAttribute("aria-selected", "false");
  at = index;
  const option = list.children[at];
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) line.setAttribute("aria-activedescendant", option.id);
  else line.removeAttribute("aria-activedescendant");
}

/** The first that goes on with the line instead of sending it. */
function first() {
  return items.findIndex((item) => !item.sends);
}

function take(index) {
  if (!(index in items)) return;
  line.value = items[index].line;
  if (items[index].sends) return byId("composer").requestSubmit();
  line.setSelectionRange(line.value.length, line.value.length);
  line.focus();
  ask();
}

function key(event) {
  if (event.isComposing) return;
  const count = isAwaited ? 0 : items.length;
  if (count && event.key === "ArrowDown") point((at + 1) % count);
  else if (count && event.key === "ArrowUp") point(at <= 0 ? count - 1 : at - 1);
  else if (count && event.key === "Tab" && !event.shiftKey) take(at < 0 ? first() : at);
  else if (isAwaited && event.key === "Tab" && !event.shiftKey) isWished = true;
  else if (count && event.key === "Enter" && at >= 0) take(at);
  else if (!list.hidden && event.key === "Escape") close();
  else if (event.key === "ArrowUp" && (line.value === "" || back)) recall(back + 1);
  else if (event.key === "ArrowDown" && back) recall(back - 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** A line that was sent before, counted from the newest; 0 is the empty one. */
function recall(count) {
  back = Math.min(Math.max(count, 0), sent.length);
  line.value = back ? sent[sent.length - back] : "";
}
