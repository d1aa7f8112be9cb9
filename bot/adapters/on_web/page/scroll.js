// What is in sight: the messages scroll so that the newest one, its board and its buttons can be seen together.

import { byId, icon, make } from "./dom.js";
import { say } from "./words.js";

const SEEN = 3; // messages at the end that can be in sight at once
const AT_END_PX = 80;
const COVERED_PX = 12; // less is a margin
const HINT_PX = 13; // how much taller a last row becomes with the words "more below"
// How far a picture shrinks so that its message fits, as a share of its width:
const LEAST = 0.6;
const LEAST_READ = 0.75; // in a menu
const LEAST_IN_PART = 0.87; // in a menu that has to be scrolled anyway

const log = byId("log");
const list = byId("messages");

const box = (element) => element.getBoundingClientRect();
const rowsIn = (element) => [...element.querySelectorAll(".row")];

/** Return the last messages, the only ones that can be in sight. */
const lastMessages = () => [...list.children].slice(-SEEN);

export const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < AT_END_PX;

/** Scroll to the end, but keep in sight the head of a last message if all of it can be seen, otherwise the board of a last
 * post: however long the text above it is, it can be tapped. */
export function toEnd() {
  log.scrollTop = log.scrollHeight;
  const end = list.lastElementChild;
  const top = end && end.offsetHeight <= log.clientHeight ? end : end?.querySelector(":not(.only) > .body > .board");
  if (top) log.scrollTop -= Math.max(0, box(log).top - box(top).top);
}

/** Bring a message into sight: from its beginning, unless that would leave the buttons of a post below. */
export function follow(element) {
  const over = element.offsetHeight - log.clientHeight;
  const isPost = !element.matches(".only") && element.querySelector(".row");
  const isTapped = isPost && element.querySelector(".board");
  if (element !== list.lastElementChild) element.scrollIntoView({ block: "nearest" });
  else if (over <= 0 || isTapped || (isPost && over < log.clientHeight / 3)) toEnd();
  else element.scrollIntoView({ block: "start" });
  uncut(element);
}

/** Scroll on until no button is cut by the edge, or by the last row of a menu. */
function uncut(element) {
  const rows = rowsIn(element);
  const isMenu = element.matches(".only") && rows.length > 1;
  const last = isMenu ? box(rows.pop()).top - (covered(element) > COVERED_PX ? hintHeight(element) : 0) : Infinity;
  const edge = Math.min(last, box(log).bottom);
  const buttons = rows.flatMap((row) => [...row.children].map(box));
  const cut = buttons.filter((button) => button.top + 1 < edge && button.bottom > edge);
  log.scrollTop += Math.max(0, ...cut.map((button) => Math.ceil(button.bottom - edge)));
}

// ---- how large a picture is ----------------------------------------------------------------------------------------

/** Shrink a picture so that its whole message fits, as long as the picture can be read. A board that can be tapped is not
 * shrunk: the text above it is scrolled, and so are the choices of a menu, from the first row that does not fit. */
export function fit(element) {
  const picture = element.querySelector(".picture");
  element.style.removeProperty("--tallest");
  element.style.removeProperty("--gap");
  element.classList.remove("dense");
  const over = Math.ceil(box(element).height) - log.clientHeight;
  if (!picture || over <= 0) return;
  const isTapped = picture.matches(".board");
  const isMenu = element.matches(".only") && rowsIn(element).length > 1;
  const full = Math.floor(box(picture).height);
  if (isTapped) return isMenu && fitInPart(element, full, 1);
  const least = full * (isMenu ? LEAST_READ : LEAST);
  const cannotFit = full - over < Math.floor(least) - 1;
  if (cannotFit && !element.matches(".only") && !element.querySelector(".call")) return; // a final board is read
  if (cannotFit && isMenu) return fitInPart(element, full, LEAST_IN_PART);
  element.style.setProperty("--tallest", `${Math.max(least, full - over)}px`);
}

export const fitAll = () => lastMessages().forEach(fit);

/** How much taller the last row of a menu becomes when it says that there is more below. */
const hintHeight = (element) => (element.querySelector(".roomy") ? 0 : HINT_PX);

/** Shrink the picture of a menu that does not fit, so that its first choices are in sight and none is cut. If that
 * would shrink it too much, the text becomes smaller, or the choices that would be cut move further down. `least`: how
 * far the picture is shrunk for choices after the first, as a share. */
function fitInPart(element, full, least) {
  const rows = rowsIn(element);
  const edge = box(element).top + log.clientHeight - rows.pop().offsetHeight - hintHeight(element);
  const first = Math.max(0, box(rows[0]).bottom - edge);
  const buttons = rows.flatMap((row) => [...row.children].map(box));
  const cut = buttons.filter(({ top, bottom }) => bottom - edge > first && top - edge < first);
  if (full - first < full * LEAST_READ && !element.matches(".dense")) {
    element.classList.add("dense");
    return fitInPart(element, full, least);
  }
  const all = Math.ceil(Math.max(first, ...cut.map(({ bottom }) => bottom - edge)));
  const showsAll = full - all >= full * least;
  const gap = Math.ceil(first - Math.min(...cut.map(({ top }) => top - edge)));
  if (!showsAll && cut.length) element.style.setProperty("--gap", `${gap}px`);
  const lacking = showsAll ? all : Math.ceil(first);
  if (lacking) element.style.setProperty("--tallest", `${Math.max(full * LEAST, full - lacking)}px`);
}

// ---- under the last row of a menu ----------------------------------------------------------------------------

/** Return how many pixels of a menu lie under its last row, which stays in sight. */
function covered(element) {
  const row = element.matches(".only") && element.querySelector(".body").lastElementChild;
  if (!row || !row.matches(".row:not(.pick, :only-child)")) return 0;
  return box(row.previousElementSibling).bottom - box(row).top;
}

/** Say on the last row of every menu whether there is more under it. The row keeps the room for that, as the rows above
 * would move under a finger. */
function markCovered() {
  const elements = lastMessages();
  const isCovered = elements.map((element) => covered(element) > COVERED_PX);
  elements.forEach((element, index) => {
    const sign = element.querySelector(".below");
    if (!isCovered[index]) return sign?.remove();
    if (sign) return;
    const row = element.querySelector(".body").lastElementChild;
    const onclick = () => uncover(element, row);
    row.classList.add("roomy");
    row.append(make("span", { class: "below", "aria-hidden": "true", onclick }, icon("down"), say("below")));
  });
}

/** Scroll on to the rows under the last one, as far as the rows seen last stay in sight. */
function uncover(element, row) {
  const board = element.querySelector(".board");
  const room = box(row).top - Math.max(box(log).top, board ? box(board).bottom : 0);
  log.scrollBy({ top: Math.min(covered(element), Math.max(80, room - 60)), behavior: "smooth" });
}

let isPlanned = false;

function update() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    const seen = lastMessages().findLast((element) => box(element).top < box(log).bottom);
    const before = seen && box(seen).top;
    markCovered();
    const moved = seen ? box(seen).top - before : 0; // by a menu above, which may be taller now
    if (moved) log.scrollTop += moved; // adding 0 would end a smooth scroll
  });
}

addEventListener("resize", () => {
  fitAll();
  update();
});
log.addEventListener("scroll", update, { passive: true });
new MutationObserver(update).observe(list, { childList: true, subtree: true });
