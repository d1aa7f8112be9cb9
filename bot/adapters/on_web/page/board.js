// A picture whose parts can be tapped: each is a button by keyboard and by name, and the nearest one under a finger.

import { make } from "./dom.js";
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const FINGER = 16; // pixels of the screen round the middle of a part that are its own, however small it is
const SIDEWAYS = 2; // what lies in the direction of an arrow key counts so much more than what lies beside
const SHARP = 0.6; // radians by which an outline turns at a corner; less is a part of a bow
const TICK = 0.24; // of the way to the nearest other corner: how far a tick goes
const BRACKET = 0.075; // of the way round what has no corners: how far a bracket goes
const MANY = 30; // more marks than that hide the board, and say nothing
const SHOWN_MS = 1200; // how long what can be chosen stays lit after a tap beside it
const INSET = 0.9; // of a part: ticks lie within it, so that those of its neighbours don't meet them
const ROUND = 0.7; // of one without corners: what lies beside it, within a finger's reach, stays free

/**
 * The parts over an image of `width` by `height`: `choose(payload, event)` is called with what is tapped, and tells
 * whether that counts; `miss(event)` where nothing can be chosen. Parts that are `beside` what is marked stay unlit.
 */
export function overlay({ width, height }, parts, choose, miss = () => {}) {
  const isFull = parts.length > MANY;
  const svg = drawn("svg", {
    class: isFull ? "parts full" : "parts",
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": say("tap"),
  });
  const outlines = parts.map(({ points }) => points.split(" ").map((each) => each.split(",").map(Number)));
  const shapes = parts.map(({ label, payload, points, beside }, index) => {
    const d = ticks(outlines[index]);
    const traits = {
      class: beside ? "part beside" : "part",
      role: "button",
      "aria-label": label,
      "data-payload": payload,
      tabindex: index ? -1 : 0,
    };
    const group = drawn("g", traits);
    group.append(drawn("polygon", { class: "case", points }), drawn("polygon", { class: "mark", points }));
    group.append(drawn("path", { class: "stroke under", d }), drawn("path", { class: "stroke", d }));
    return group;
  });
  svg.append(...shapes);

  const take = (index, event) => {
    if (!choose(parts[index].payload, event)) return;
    for (const shape of shapes) shape.classList.toggle("chosen", shape === shapes[index]);
  };
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = width / box.width || 1;
    return nearest(outlines, [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale], FINGER * scale);
  };

  svg.addEventListener("click", (event) => {
    const isPointed = event.detail > 0;
    const index = isPointed ? at(event) : shapes.indexOf(event.target.closest(".part"));
    if (index < 0) {
      show(svg);
      return miss(event);
    }
    event.stopPropagation();
    take(index, event);
  });
  svg.addEventListener("pointermove", (event) => {
    const index = event.pointerType === "mouse" ? at(event) : -1;
    shapes.forEach((shape, each) => shape.classList.toggle("near", each === index));
    svg.classList.toggle("pointing", index >= 0);
  });
  svg.addEventListener("pointerleave", () => shapes.forEach((shape) => shape.classList.remove("near")));
  svg.addEventListener("keydown", (event) => {
    const from = shapes.indexOf(document.activeElement);
    if (from < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) take(from, event);
    } else {
      const to = next(outlines, from, event.key);
      if (to < 0) return;
      shapes[from].setAttribute("tabindex", "-1");
      shapes[to].setAttribute("tabindex", "0");
      shapes[to].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  return svg;
}

/** Let what can be chosen light up for a moment. */
function show(svg) {
  svg.classList.add("showing");
  setTimeout(() => svg.classList.remove("showing"), SHOWN_MS);
}

function drawn(name, traits) {
  const element = document.createElementNS(SVG, name);
  for (const [each, value] of Object.entries(traits)) element.setAttribute(each, String(value));
  return element;
}

/** Which outline a point means: the one that it lies in, else the one with the nearest middle within `reach`; else -1. */
export function nearest(outlines, point, reach) {
  const far = outlines.map((outline) => distance(middle(outline), point));
  const order = outlines.map((_, index) => index).toSorted((one, other) => far[one] - far[other]);
  return order.find((index) => inside(outlines[index], point)) ?? order.find((index) => far[index] <= reach) ?? -1;
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Where an arrow key leads from a part; Home and End lead to the first and the last. -1: nowhere. */
function next(outlines, from, key) {
  if (key === "Home") return 0;
  if (key === "End") return outlines.length - 1;
  if (!(key in STEPS)) return -1;
  const [dx, dy] = STEPS[key];
  const [x0, y0] = middle(outlines[from]);
  let best = -1;
  let least = Infinity;
  outlines.forEach((outline, index) => {
    const [x, y] = middle(outline);
    const along = (x - x0) * dx + (y - y0) * dy;
    const beside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
    const cost = along + SIDEWAYS * beside;
    if (index !== from && along > 0 && cost < least) [best, least] = [index, cost];
  });
  return best;
}

function middle(outline) {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** The path of short strokes that say that a part can be tapped and leave in sight what is on it: at its corners, or as
 * two brackets where it has none. */
export function ticks(outline) {
  const [x, y] = middle(outline);
  const isRound = outline.filter((_, index) => isSharp(outline, index)).length < 3;
  const inset = isRound ? ROUND : INSET;
  const points = outline.map((each) => [x + (each[0] - x) * inset, y + (each[1] - y) * inset]);
  const sides = points.map((each, index) => distance(each, points[(index + 1) % points.length]));
  const whole = sides.reduce((sum, each) => sum + each, 0);
  const corners = points.filter((_, index) => isSharp(points, index));
  const xs = points.map(([each]) => each);
  const ends = [Math.min(...xs), Math.max(...xs)].map((each) => points[xs.indexOf(each)]);
  const arm = (corner) =>
    TICK * Math.min(...corners.filter((each) => each !== corner).map((each) => distance(each, corner)));
  const strokes = (isRound ? ends : corners).map((point) => {
    const length = isRound ? BRACKET * whole : arm(point);
    const [back, on] = [-1, 1].map((way) => stretch(points, sides, points.indexOf(point), way, length));
    return [...back.toReversed(), point, ...on];
  });
  return strokes
    .map((stroke) => `M${stroke.map((point) => point.map((each) => each.toFixed(1)).join(",")).join("L")}`)
    .join("");
}

function isSharp(points, index) {
  const [[x0, y0], [x1, y1], [x2, y2]] = [points.at(index - 1), points[index], points[(index + 1) % points.length]];
  const turn = Math.abs(Math.atan2(y2 - y1, x2 - x1) - Math.atan2(y1 - y0, x1 - x0));
  return Math.min(turn, 2 * Math.PI - turn) > SHARP;
}

/** What follows on a point of an outline, forwards (1) or backwards (-1), up to a length. */
function stretch(points, sides, index, way, length) {
  const count = points.length;
  const found = [];
  for (let left = length; left > 0; index = (index + way + count) % count) {
    const side = sides[way > 0 ? index : (index - 1 + count) % count];
    const [[x0, y0], [x1, y1]] = [points[index], points[(index + way + count) % count]];
    const part = Math.min(1, left / side);
    found.push([x0 + (x1 - x0) * part, y0 + (y1 - y0) * part]);
    left -= side;
  }
  return found;
}

const distance = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);

function inside(outline, [x, y]) {
  let isInside = false;
  outline.forEach(([x1, y1], index) => {
    const [x0, y0] = outline.at(index - 1);
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)) isInside = !isInside;
  });
  return isInside;
}

/** The image, or the image with its parts. */
export function pictured(image, parts = [], choose, miss) {
  const size = image.width ? { width: image.width, height: image.height } : {};
  const element = make("img", { src: image.src, alt: image.alt, decoding: "async", ...size });
  return parts.length && image.width ? [element, overlay(image, parts, choose, miss)] : [element];
}
