// Elements. Text goes in as text, never as markup.

/** Return a new element. Traits named `on…` are listeners, `true` is a bare attribute, false and null are left out. */
export function make(tag, traits = {}, ...children) {
  return filled(document.createElement(tag), traits, children);
}

/** Return a new element of an SVG. */
export function draw(tag, traits = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), traits, children);
}

function filled(element, traits, children) {
  for (const [name, value] of Object.entries(traits)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

/** Return one of the symbols of index.html. */
export function icon(name) {
  return draw("svg", { "aria-hidden": "true" }, draw("use", { href: `#i-${name}` }));
}

/** Return a button that shows only an icon. */
export function iconButton(name, label, traits) {
  return make("button", { type: "button", "aria-label": label, title: label, ...traits }, icon(name));
}

/** Return a name that cannot turn the direction of the text beside it. */
export function named(name) {
  return make("bdi", {}, name);
}

export const byId = (id) => document.getElementById(id);

/** Return the sign of a person: the first letter in a colour of their own. */
export function avatar(person) {
  return dress(make("span", { class: "avatar", "aria-hidden": "true" }), person);
}

export function dress(element, person) {
  element.textContent = [...new Intl.Segmenter().segment(person.name)][0].segment.toUpperCase();
  element.style.setProperty("--hue", String(Math.round(28 + person.number * 137.5) % 360)); // the golden angle
  return element;
}
