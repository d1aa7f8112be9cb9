// A list to choose one from: a button that opens it. The browser's own list would choose at every arrow key.

import { icon, make } from "./dom.js";

let count = 0;

// Whoever presses a choice stays on the button: the list would close under the pointer.
const stay = (event) => event.preventDefault();

export function picks({ label, choices }, choose) {
  const id = `picks-${++count}`;
  const chosen = choices.findIndex((choice) => choice.chosen);
  let at = Math.max(chosen, 0);

  const options = choices.map((choice, index) =>
    make(
      "li",
      {
        role: "option",
        id: `${id}-${index}`,
        dir: "auto",
        "aria-selected": String(index === chosen),
        onclick: () => take(index),
      },
      choice.label,
    ),
  );
  const list = make("ul", { role: "listbox", id, "aria-label": label, hidden: true, onmousedown: stay }, ...options);
  const knob = make(
    "button",
    {
      type: "button",
      class: "pick",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": id,
      "data-payload": `list ${label}`,
      onclick: () => (list.hidden ? open() : close()),
      onkeydown: key,
    },
    make("span", { class: "what", dir: "auto" }, label),
    make("span", { class: "which", dir: "auto" }, choices[chosen]?.label ?? "–"),
    icon("down"),
  );
  const box = make("div", { class: "row picks", onfocusout: left }, knob, list);
  return box;

  function open() {
    list.hidden = false;
    knob.setAttribute("aria-expanded", "true");
    point(at);
    list.scrollIntoView({ block: "nearest" });
  }

  function close() {
    list.hidden = true;
    knob.setAttribute("aria-expanded", "false");
    knob.removeAttribute("aria-activedescendant");
  }

  function left(event) {
    if (!box.contains(event.relatedTarget)) close();
  }

  function point(index) {
    options[at]?.classList.remove("at");
    at = (index + options.length) % options.length;
    options[at].classList.add("at");
    options[at].scrollIntoView({ block: "nearest" });
    knob.setAttribute("aria-activedescendant", options[at].id);
  }

  function take(index) {
    close();
    knob.focus();
    if (index !== chosen) choose(choices[index].payload);
  }

  function key(event) {
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 };
    if (list.hidden) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      open();
    } else if (event.key in steps) point(steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") take(at);
    else if (event.key === "Escape") close();
    else if (event.key.length === 1) letter(event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to the next choice that begins with a letter. */
  function letter(wish) {
    for (let step = 1; step <= options.length; step++) {
      const index = (at + step) % options.length;
      if (choices[index].label.toLowerCase().startsWith(wish)) return point(index);
    }
  }
}
