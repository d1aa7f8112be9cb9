// Elements. Text goes in as text, never as markup.

/** A new element: traits named `on…` are listeners, `true` is a bare attribute, `false` and null are left out. */
export function make(tag, traits = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** One of the symbols of index.html. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** A name that cannot turn round the text beside it. */
export function named(name) {
  return make("bdi", {}, name);
}

export const byId = (id) => document.getElementById(id);

const LETTERS = "Segmenter" in Intl ? new Intl.Segmenter() : null;

/** The sign of a person: the first letter in a colour of their own. */
export function avatar(person) {
  return dress(make("span", { class: "avatar", "aria-hidden": "true" }), person);
}

export function dress(element, person) {
  const first = LETTERS ? [...LETTERS.segment(person.name)][0]?.segment : [...person.name][0];
  element.textContent = (first ?? "").toUpperCase();
  element.style.setProperty("--hue", String(Math.round(28 + person.number * 137.5) % 360)); // the golden angle
  return element;
}
