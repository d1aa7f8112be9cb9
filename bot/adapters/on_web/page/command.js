// The command line: completions, and a history of sent lines.

import { byId, make } from "./dom.js";
import { signed } from "./signs.js";
import { say } from "./words.js";

const MOST = 2000; // characters of a line

const line = byId("line");
const list = byId("completions");
const sent = [];
let recalled = 0; // the line of the history that is shown, counted from the newest; 0 for none
let items = []; // the completions that are listed
let selected = -1;
let request = 0; // number of the last request for completions
let isOpen = false;
let isAwaited = false; // the list belongs to an earlier state of the line
let takesFirst = false; // Tab was pressed before the completions came
let begun = { name: "", payload: "" }; // the command of the line, and the button that began it
let ask; // requests completions

/** Set up the line. `complete(text, n)` asks for completions, `send(text, payload)` sends a line, `tell(text)` shows a toast. */
export function prepare(complete, send, tell) {
  ask = () => {
    if (!line.value.startsWith(begun.name)) begun = { name: "", payload: "" };
    if (!line.value.startsWith("/")) return close();
    [isOpen, isAwaited, takesFirst] = [true, true, false];
    complete(line.value.slice(0, Math.min(line.selectionStart, MOST)).toWellFormed(), ++request);
  };
  line.addEventListener("input", ask);
  line.addEventListener("keydown", key);
  line.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the line
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    const isCut = line.value.trim().length > MOST;
    const text = line.value.trim().slice(0, MOST).toWellFormed();
    close();
    if (!text) return;
    if (sent.at(-1) !== text) sent.push(text);
    recalled = 0;
    line.value = "";
    send(text, begun.payload);
    begun = { name: "", payload: "" };
    if (isCut) tell(say("cut", { most: MOST }));
  });
}

/** Begin a line with a text, for the button with `payload` if there is one. */
export function begin(text, payload = "") {
  line.value = text;
  begun = { name: text.trim(), payload };
  line.focus();
  ask();
}

/** Show completions. The first command is selected, so that Enter takes it, unless the line is a whole command. */
export function show({ n, items: offered, names }) {
  if (n !== request || !isOpen) return;
  isAwaited = false;
  fill(offered.filter((item) => item.line !== line.value));
  const isWhole = offered.some((item) => item.line.trimEnd() === line.value.trimEnd());
  if (names && !isWhole && items.length) select(0);
  if (takesFirst) take(first());
}

function close() {
  [isOpen, isAwaited] = [false, false];
  fill([]);
}

function fill(offered) {
  items = offered;
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
  list.scrollTop = 0;
  line.ariaExpanded = String(!list.hidden);
  select(-1);
}

function select(index) {
  selected = index;
  for (const [each, option] of [...list.children].entries()) option.ariaSelected = String(each === index);
  list.children[index]?.scrollIntoView({ block: "nearest" });
  line.setAttribute("aria-activedescendant", list.children[index]?.id ?? "");
}

/** Return the index of the first completion that does not send the line. */
const first = () => items.findIndex((item) => !item.sends);

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
  const isTab = event.key === "Tab" && !event.shiftKey;
  if (count && event.key === "ArrowDown") select((selected + 1) % count);
  else if (count && event.key === "ArrowUp") select(selected <= 0 ? count - 1 : selected - 1);
  else if (count && isTab) take(selected < 0 ? first() : selected);
  else if (isAwaited && isTab) takesFirst = true;
  else if (count && event.key === "Enter" && selected >= 0) take(selected);
  else if (!list.hidden && event.key === "Escape") close();
  else if (event.key === "ArrowUp" && (line.value === "" || recalled)) recall(recalled + 1);
  else if (event.key === "ArrowDown" && recalled) recall(recalled - 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function recall(number) {
  recalled = Math.min(Math.max(number, 0), sent.length);
  line.value = recalled ? sent.at(-recalled) : "";
}
