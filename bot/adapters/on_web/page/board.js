// A picture whose parts can be tapped. Each part is a button for the keyboard and for screen readers.

import { draw, make } from "./dom.js";
import { say } from "./words.js";

const FINGER = 16; // px on the screen: a tap so near to the middle of a part means it, however low or narrow it is
const TIGHT = 30; // px: if a part has less room, the tap of a finger enlarges the board
const SIDEWAYS = 2; // arrow keys: a step sideways costs so much more than one in their direction
const MANY = 30; // more marks than that would hide the board
const SHOWN_MS = 6000; // the parts stay lit after a tap beside them, until the next tap
const SHRINKS = 0.1; // the dashes in a part keep off its edges by this share of its size, and
const EDGE = 8; // by so many pixels of the image at most, so that they keep off what is written near the edge
const THUMB = 1 / 9; // of the image's width: for fingers that feel for it, a part is so wide and high if there is room

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return the parts as a layer over an image of `width` by `height`. A tap calls `choose(payload, event)`, which returns
 * whether it counts; a tap beside all parts calls `miss(event, point)`. If there is an `enlarge(event, point)` and a part
 * has little room, a finger calls that instead. Parts that are `beside` stay unlit. In the `closed` places, which cannot be
 * chosen, a tap means no part beside them.
 */
export function overlay({ width, height }, parts, closed, choose, miss = () => {}, enlarge = null) {
  const middles = parts.map(({ outline }) => middle(outline));
  const room = tightest(parts);
  const boxes = parts.map(({ outline }) => extent(outline));
  const shapes = parts.map(({ label, payload, outline, beside }, index) =>
    draw(
      "g",
      {
        class: beside ? "part beside" : "part",
        role: "button",
        "aria-label": label,
        "data-payload": payload,
        tabindex: index ? "-1" : "0",
      },
      draw("polygon", { class: "room", points: corners(roomy(index, boxes, width * THUMB)).join(" ") }),
      ...["case", "mark"].map((name) => draw("polygon", { class: name, points: outline.join(" ") })),
      ...["stroke under", "stroke"].map((name) => draw("polygon", { class: name, points: within(outline).join(" ") })),
    ),
  );
  const name = parts.length > MANY ? "parts full" : "parts";
  const traits = { class: name, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say("tap") };
  const rest = closed.map((outline) => draw("polygon", { class: "closed", points: outline.join(" ") }));
  const svg = draw("svg", { ...traits, onclick: click, onkeydown: key, onpointerup: lift }, ...rest, ...shapes);
  let lit; // ends the light of the parts
  let finger = null; // where the last one was: browsers move its click to something near that can be clicked
  return svg;

  function take(index, event) {
    if (!choose(parts[index].payload, event)) return;
    for (const shape of shapes) shape.classList.toggle("chosen", shape === shapes[index]);
  }

  function lift({ pointerType, clientX, clientY }) {
    finger = pointerType === "touch" ? { clientX, clientY } : null;
  }

  function click(event) {
    const place = finger ?? event;
    const target = finger ? (document.elementFromPoint(finger.clientX, finger.clientY) ?? svg) : event.target;
    finger = null;
    if (enlarge && event.pointerType === "touch" && room < TIGHT * scale()) {
      event.stopPropagation();
      return enlarge(event, at(place));
    }
    const hit = shapes.indexOf(target.closest(".part"));
    const index = hit < 0 && !target.matches(".closed") ? near(place) : hit;
    if (index < 0) {
      const ends = () => svg.classList.remove("showing");
      svg.classList.add("showing");
      clearTimeout(lit);
      lit = setTimeout(ends, SHOWN_MS);
      document.addEventListener("pointerdown", ends, { once: true });
      return miss(event, at(place));
    }
    event.stopPropagation();
    take(index, event);
  }

  /** Return how many pixels of the image a pixel of the screen is. */
  function scale() {
    return width / svg.getBoundingClientRect().width || 1;
  }

  /** Return the place of a tap in the image. */
  function at({ clientX, clientY }) {
    const box = svg.getBoundingClientRect();
    return [(clientX - box.left) * scale(), (clientY - box.top) * scale()];
  }

  /** Return the part with the nearest middle of those within a finger's reach, or -1. */
  function near(place) {
    const point = at(place);
    const reach = FINGER * scale();
    const isNear = (box, axis) => box[axis][0] <= point[axis] && point[axis] <= box[axis][1];
    const distances = middles.map((center, index) => {
      const off = [0, 1].map((axis) => Math.abs(center[axis] - point[axis]));
      const isReached = off.every((length, axis) => length <= reach || isNear(boxes[index], axis));
      return isReached ? Math.hypot(...off) : Infinity;
    });
    const nearest = Math.min(...distances);
    return nearest < Infinity ? distances.indexOf(nearest) : -1;
  }

  function key(event) {
    const from = shapes.indexOf(document.activeElement);
    const isPress = event.key === "Enter" || event.key === " ";
    const to = isPress ? from : next(middles, from, event.key);
    if (from < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPress) return event.repeat || take(from, event);
    shapes[from].setAttribute("tabindex", "-1");
    shapes[to].setAttribute("tabindex", "0");
    shapes[to].focus();
  }
}

/** Return the part that an arrow key leads to, or -1; Home and End lead to the first and the last. */
function next(middles, from, key) {
  if (key === "Home") return 0;
  if (key === "End") return middles.length - 1;
  if (from < 0 || !(key in STEPS)) return -1;
  const [dx, dy] = STEPS[key];
  const costs = middles.map(([x, y]) => {
    const [right, down] = [x - middles[from][0], y - middles[from][1]];
    const along = right * dx + down * dy;
    return along > 0 ? along + SIDEWAYS * Math.abs(right * dy + down * dx) : Infinity;
  });
  const least = Math.min(...costs);
  return least < Infinity ? costs.indexOf(least) : -1;
}

/** Return the least and the greatest coordinate of an outline, for each axis. */
function extent(outline) {
  return [0, 1].map((axis) => {
    const values = outline.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
}

/** Return an outline within another one, off its edges. */
function within(outline) {
  const box = extent(outline);
  return outline.map((point) =>
    point.map((value, axis) => {
      const [start, end] = box[axis];
      const center = (start + end) / 2;
      const share = Math.max(1 - 2 * SHRINKS, 1 - (2 * EDGE) / (end - start));
      return center + (value - center) * share;
    }),
  );
}

/** Return the box of a part, grown to `least` in both directions, but never beyond half the gap to another part. */
function roomy(index, boxes, least) {
  const own = boxes[index];
  return [0, 1].map((axis) => {
    const [start, end] = own[axis];
    const across = 1 - axis;
    const level = boxes.filter((box, other) => {
      return other !== index && box[across][0] < own[across][1] && own[across][0] < box[across][1];
    });
    const before = level.filter((box) => box[axis][0] < start).map((box) => start - box[axis][1]);
    const after = level.filter((box) => box[axis][1] > end).map((box) => box[axis][0] - end);
    const more = (gaps) => Math.max(0, Math.min((least - (end - start)) / 2, ...gaps.map((gap) => gap / 2)));
    return [start - more(before), end + more(after)];
  });
}

/** Return the corners of a box. */
function corners([[left, right], [top, bottom]]) {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

export function middle(outline) {
  return extent(outline).map(([least, most]) => (least + most) / 2);
}

/** Return how much room the tightest part has for a finger, in pixels of the image: its shortest side, or the distance
 * to the next one if that is more. Parts that are `beside` do not count: a tap on one is easily taken back. */
export function tightest(parts) {
  const outlines = parts.filter(({ beside }) => !beside).map(({ outline }) => outline);
  const middles = outlines.map(middle);
  const rooms = outlines.map((outline, index) => {
    const distances = middles.map(([x, y]) => Math.hypot(x - middles[index][0], y - middles[index][1]));
    const distance = Math.min(...distances.filter((_, other) => other !== index));
    return Math.max(distance, Math.min(...extent(outline).map(([least, most]) => most - least)));
  });
  return Math.min(...rooms);
}

/** Return the image, and its parts if it has any. */
export function pictured(image, parts = [], closed = [], ...taps) {
  const size = image.width ? { width: image.width, height: image.height } : {};
  const element = make("img", { src: image.src, alt: image.alt, decoding: "async", ...size });
  return parts.length && image.width ? [element, overlay(image, parts, closed, ...taps)] : [element];
}

/** Return a layer over an image in which the winners' pieces shimmer once. */
export function shimmer({ width, height, shines }) {
  const pieces = shines.map((outline) => draw("polygon", { points: outline.join(" ") }));
  return draw("svg", { class: "shimmer", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...pieces);
}
