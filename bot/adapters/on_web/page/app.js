// The page: what it knows, what it hears, what it does. The server keeps the truth, this shows it.

import { begin, prepare as prepareCommand, show as showCompletions } from "./command.js";
import { byId, dress, icon, make, named } from "./dom.js";
import { Line } from "./line.js";
import { drawn, isCovered, link, tellCovered } from "./message.js";
import { askChannel, askPerson, enlarge, gone, prepare as prepareSheets, refresh } from "./sheets.js";
import { draw as drawSide, drawer, prepare as prepareSide } from "./side.js";
import { signed } from "./signs.js";
import { around, channelName, say, speak } from "./words.js";

const QUICK = "/newgame ";
const BOARD = "/board";
const MOST = 300; // messages on the page
const SLIP_MS = 350; // a second click within this time and distance belongs to the first
const SLIP_PX = 12;
const JUMP_MS = 400; // a finger so soon after the page has moved by itself means what lay there before
const CALM_MS = 1000; // what comes so long after the last answer comes by itself
const SEEN = 3; // messages at the end that one may see at once
const LEAST = 0.6; // of a picture that gives way to what is under it
const HINT = 18; // px above the last row of a menu, where it says that there is more below, and over that
const LEAST_READ = 0.75; // of one in a message for one person, which is about it
const LEAST_TAPPED = 0.8; // of one on which fingers are to meet something
const LEAST_IN_PART = 0.87; // of one in a menu that one has to scroll anyway
const TOAST_MS = 6000;
const PATIENCE_MS = 10_000;
const KNOB = ".row button:enabled:not(.done)"; // one that takes the focus: what only fills its place does not

// Where fingers type, focus in the command line would bring up a keyboard over half the page.
const COARSE = matchMedia("(pointer: coarse)");

const log = byId("log");
const list = byId("messages");
const view = {
  run: "",
  person: "",
  place: "",
  people: [],
  places: [],
  messages: new Map(),
  unread: new Map(),
  waiting: new Set(),
  busy: new Set(),
  pointed: { id: "", parts: [] }, // where this person can tap on the newest board
};

// The message to be brought into sight once its place is shown: by a link, or by the page's own address.
let wanted = target(location.hash);

/** What an address `#<place>/<message>` leads to; null for any other. */
function target(address) {
  const [, place, id] = /^#(.+)\/([\w-]+)$/.exec(address) ?? [];
  return place ? { place, id } : null;
}

// ---- what is remembered between visits -----------------------------------------------------------------------------

function remembered() {
  try {
    const known = JSON.parse(localStorage.getItem("known") ?? "{}");
    return {
      people: known.people ?? [],
      channels: known.channels ?? [],
      person: String(sessionStorage.getItem("person") ?? localStorage.getItem("person") ?? ""),
      place: wanted?.place ?? String(sessionStorage.getItem("place") ?? localStorage.getItem("place") ?? ""),
    };
  } catch {
    return { people: [], channels: [], person: "", place: "" };
  }
}

function remember() {
  const people = view.people.map(({ name, lang, manages }) => ({ name, lang, manages }));
  const channels = view.places.filter((place) => !place.private).map((place) => place.name);
  try {
    localStorage.setItem("known", JSON.stringify({ people, channels }));
    for (const storage of [sessionStorage, localStorage]) {
      storage.setItem("person", view.person);
      storage.setItem("place", view.place);
    }
  } catch {
    // A browser without storage forgets; everything else works.
  }
}

// ---- what is heard -------------------------------------------------------------------------------------------------

// One event after the other: words may have to be fetched before what follows can be drawn.
let hearing = Promise.resolve();

function heard(event) {
  hearing = hearing.then(() => hear(event)).catch((problem) => console.error(problem));
}

async function hear(event) {
  if (event.kind === "put" || event.kind === "removed") keepLayout();
  switch (event.kind) {
    case "here":
      await speak(event.lang);
      return arrive(event);
    case "roster":
      Object.assign(view, { people: event.people, places: event.places });
      remember();
      return mark();
    case "put":
      return put(event);
    case "parts":
      return pointed(event);
    case "removed":
      if (event.place === view.place) event.ids.forEach(remove);
      return mark();
    case "nudge":
      view.waiting.add(event.person);
      return mark();
    case "toast":
      return toast(event.text, event.links);
    case "completions":
      return event.n < 0 ? quick(event) : showCompletions(event);
  }
}

function arrive({ run, person, place, people, places, messages }) {
  const isFresh = view.run !== "" && view.run !== run;
  if (isFresh) view.unread.clear();
  if (view.run && (person !== view.person || place !== view.place)) drawer(false);
  if (person !== view.person) byId("toasts").replaceChildren();
  Object.assign(view, { run, person, place, people, places });
  hasArrived();
  view.messages = new Map(messages.map((message) => [message.id, message]));
  view.pointed = { id: "", parts: [] };
  view.unread.delete(place);
  view.waiting.delete(person);
  remember();
  list.replaceChildren(...(isFresh ? [fresh()] : []), ...messages.map(draw));
  opening();
  mark();
  fitAll();
  if (messages.length) toEnd();
  else log.scrollTop = 0;
  reach();
  point();
}

/** Go to a message by its address; one that is gone by now leads to the end of its place. */
function go(address) {
  wanted = target(address);
  if (wanted?.place === view.place) reach();
  else if (wanted) act.look(wanted.place);
}

/** Bring the message that is wanted into sight, if it is here. */
function reach() {
  const element = wanted?.place === view.place ? elementOf(wanted.id) : null;
  wanted = null;
  if (!element) return;
  element.scrollIntoView({ block: element.offsetHeight > log.clientHeight ? "start" : "center" });
  element.focus({ preventScroll: true });
}

function put({ place, message, new: isNew }) {
  if (place !== view.place) {
    if (isNew) view.unread.set(place, (view.unread.get(place) ?? 0) + 1);
    return mark();
  }
  const wasAtEnd = isAtEnd();
  const old = elementOf(message.id);
  const element = draw(message);
  if (old) exchange(old, element);
  else if (isNew) list.append(element);
  else return;
  fit(element);
  view.messages.set(message.id, message);
  if (message.only === view.person && message.rows.length && line.undone.size) opened.add(message.id);
  if (message.author === null && (message.only === null || message.call)) point();
  refresh(withParts(message), isNew && message.only === view.person);
  for (const id of [...view.messages.keys()].slice(0, -MOST)) remove(id);
  mark();
  if (isNew && message.only === view.person && taken.by) carryFocus(element);
  const isFormer = document.activeElement?.closest("article")?.matches(".pictured:not(.only)");
  if (isNew && isFormer && message.call?.person === view.person) toMove(); // whoever waits at the former board
  const isMine = message.author?.id === view.person || message.only === view.person;
  const isDone = !isNew && element !== list.lastElementChild && !element.querySelector(".row"); // a former board, a used menu
  if (isNew && message.image && message.id === newestPost()?.id) byId("begin").hidden = true; // a game is on
  const isExpected = isNew && message.author === null && message.only === null && Date.now() < expects;
  if (isExpected) expects = 0;
  const isBehind = !isNew && message.call && wasAtEnd && element !== list.lastElementChild; // a board above its menu
  if (((isMine && !isDone) || isExpected) && !isBehind) follow(element);
  else if (isNew && wasAtEnd) follow(element);
  else if (wasAtEnd) toEnd();
  else if (isNew) byId("newer").hidden = false;
}

function remove(id) {
  gone(id);
  if (opened.delete(id) && !opened.size && !line.undone.size) unchoose();
  view.messages.delete(id);
  const element = elementOf(id);
  const hadFocus = element?.contains(document.activeElement);
  element?.remove();
  if (hadFocus) toMove() || (COARSE.matches ? log : byId("line")).focus({ preventScroll: true });
}

/** Put the focus where the next move is made: on the newest board, or its first button. */
function toMove() {
  const board = elementOf(newestPost()?.id);
  const first = board?.querySelector(KNOB) ?? board;
  first?.focus({ preventScroll: true });
  return Boolean(first);
}

const elementOf = (id) => [...list.children].find((element) => element.dataset.id === id);

/** Put a message in place of its former self; whoever was in it with the keyboard stays in it. */
function exchange(old, element) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(element);
  if (!focus) return;
  if (focus === old) return element.focus({ preventScroll: true });
  const wasPart = focus.matches(".part");
  const knobs = [...element.querySelectorAll(wasPart ? ".part" : KNOB)];
  const same = knobs.find((knob) => knob.dataset.payload === focus.dataset.payload);
  (same ?? knobs[0] ?? element).focus({ preventScroll: true });
}

// Until when what the bot posts is brought into sight, as it comes of something that was done here.
let expects = 0;
const expect = () => (expects = Date.now() + PATIENCE_MS);

// Whether the focus is on a button or "part" whose answer is awaited: the answer then takes it over.
let taken = { by: "" };

function carryFocus(element) {
  const first = (taken.by === "part" && element.querySelector(".part")) || element.querySelector(KNOB);
  first?.focus({ preventScroll: true });
}

/** That the bot began anew; and how one comes to see the board, where it does not come back by itself. */
function fresh() {
  const [before, after] = around("fresh.board", "command");
  const board = make("button", { type: "button", onclick: () => send(BOARD) }, BOARD);
  return make("p", { class: "fresh", role: "status" }, say("fresh"), make("span", {}, " ", before, board, after));
}

/** How a place begins: what to do here, and games to start with one tap. */
function opening() {
  const place = view.places.find((each) => each.id === view.place);
  const name = place.private ? me().name : channelName(place.name);
  byId("begin").hidden = newestPost()?.image !== undefined && newestPost().image !== null; // a game is on here
  byId("begin-title").textContent = place.private ? say("private") : say("channel.begin", { name });
  byId("quick").replaceChildren();
  const [before, after] = around(place.private ? "private.begin" : "channel.hint", "command", { name });
  const command = make("button", { type: "button", class: "code", onclick: () => begin(QUICK) }, QUICK.trim());
  byId("begin-hint").replaceChildren(before, command, after);
  line.send({ kind: "complete", n: -1, person: view.person, place: view.place, text: QUICK });
}

function quick({ items }) {
  const chips = items.map((item) =>
    make(
      "button",
      { type: "button", class: "chip", onclick: (event) => isSlip(event) || send(item.line) },
      make("strong", { dir: "auto" }, item.label),
      item.about ? make("span", { dir: "auto" }, item.about) : null,
    ),
  );
  const wasAtEnd = isAtEnd();
  byId("quick").replaceChildren(...chips);
  if (wasAtEnd && view.messages.size) toEnd();
}

// ---- what is shown -------------------------------------------------------------------------------------------------

const me = () => view.people.find((person) => person.id === view.person);

function draw(message) {
  const element = drawn(withParts(message), view.person, isPrivate(), act);
  element.classList.toggle("busy", view.busy.has(message.id));
  return element;
}

/** A message with the parts of its picture: those of the newest board are told apart from it, to one person. */
function withParts(message) {
  return message.id === view.pointed.id ? { ...message, parts: view.pointed.parts, isUnmarked: true } : message;
}

/** The newest post of the bot; alone with the bot everything is for one person, and posts are what calls somebody. */
const newestPost = () =>
  [...view.messages.values()].findLast(
    (each) => each.author === null && (each.only === null || (isPrivate() && each.call)),
  );

/** Ask where I can tap on the newest board, if it calls me. */
function point() {
  const newest = newestPost();
  if (newest?.image && newest.call?.person === view.person) line.send({ kind: "point", message: newest.id, ...here() });
  else pointed({ ...here(), message: "", parts: [] });
}

/** The parts of the newest board have come, or are no more. */
function pointed({ person, place, message, parts }) {
  if (person !== view.person || place !== view.place || (message && message !== newestPost()?.id)) return;
  const former = view.pointed;
  if (former.id === message && JSON.stringify(former.parts) === JSON.stringify(parts)) return;
  view.pointed = { id: message, parts };
  if (!parts.length && !former.parts.length) return;
  for (const id of new Set([former.id, message])) {
    const [known, old] = [view.messages.get(id), elementOf(id)];
    if (known && old) repaint(old, draw(known));
    if (known) refresh(withParts(known));
  }
  mark();
}

/** Let a message show where its picture can be tapped. Its buttons stay where they are, also when the picture becomes
 * another size by it: somebody may be about to press one. */
function repaint(old, element) {
  const row = old.querySelector(".row");
  const top = row?.getBoundingClientRect().top;
  const payload = document.activeElement?.matches(".part") ? document.activeElement.dataset.payload : null;
  for (const part of [".picture", "header"]) {
    const [former, next] = [old.querySelector(part), element.querySelector(part)];
    if (former && next) former.replaceWith(next);
  }
  fit(old);
  if (row && top < log.getBoundingClientRect().bottom) log.scrollTop += row.getBoundingClientRect().top - top;
  if (payload && document.activeElement === document.body) {
    const parts = [...old.querySelectorAll(".part")];
    (parts.find((each) => each.dataset.payload === payload) ?? parts[0] ?? old).focus({ preventScroll: true });
  }
}

const isPrivate = () => view.places.find((place) => place.id === view.place)?.private ?? false;

/** Everything beside the messages: side, head, title, and which message calls me. */
function mark() {
  const place = view.places.find((each) => each.id === view.place);
  if (!place) return;
  drawSide(view, act);
  const name = channelName(place.name);
  const title = place.private ? say("private") : `#${name}`;
  byId("place").replaceChildren(
    place.private ? icon("lock") : make("span", { class: "hash" }, "#"),
    named(place.private ? title : name),
  );
  const sign = make("span", { class: "avatar", "aria-hidden": "true" });
  byId("me").replaceChildren(dress(sign, me()), named(me().name));
  byId("me").setAttribute("aria-label", say("person.you", { name: me().name }));
  dress(byId("avatar"), me());
  byId("line").placeholder = say("command.placeholder");
  const newest = newestPost();
  const isCalled = newest?.call?.person === view.person;
  for (const element of list.children) element.classList.toggle("called", isCalled && element.dataset.id === newest.id);
  document.title = `${isCalled ? "● " : ""}${title} – ${say("title")}`;
}

const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80;

/** Let a picture leave as much room as the message needs to be seen as a whole, as long as it can be read. */
function fit(element) {
  const picture = element.querySelector(".picture");
  element.style.removeProperty("--tallest");
  element.style.removeProperty("--gap");
  element.classList.remove("dense");
  const over = Math.ceil(element.getBoundingClientRect().height) - log.clientHeight;
  if (!picture || over <= 0) return;
  const full = Math.floor(picture.getBoundingClientRect().height);
  const isMenu = element.matches(".only") && element.querySelectorAll(".row").length > 1;
  const least = full * (picture.matches(".board") ? LEAST_TAPPED : isMenu ? LEAST_READ : LEAST);
  const cannot = full - over < Math.floor(least) - 1;
  if (cannot && !element.matches(".only") && !element.querySelector(".call")) return; // a last board is scrolled, to be read
  if (cannot && isMenu) return fitInPart(element, full);
  element.style.setProperty("--tallest", `${Math.max(least, full - over)}px`);
}

/** By how much the last row of a menu is still to grow where it says that there is more below. */
const hintOf = (element) => (element.querySelector(".roomy") ? 0 : HINT);

/** Let the picture of a menu that is seen in part anyway give way, so that from its beginning on the first choices are in
 * sight, and none of the others in half: where that takes too much of it, these go further down, and what is said is
 * smaller. */
function fitInPart(element, full) {
  const rows = [...element.querySelectorAll(".row")];
  const start = element.getBoundingClientRect().top;
  const edge = log.clientHeight - rows.pop().offsetHeight - hintOf(element); // the last row stays in sight
  const under = (part) => part.getBoundingClientRect().bottom - start - edge;
  const first = Math.max(0, under(rows[0]));
  const parts = rows
    .flatMap((row) => [...row.children])
    .map((part) => ({ bottom: under(part), top: under(part) - part.offsetHeight }));
  const cut = parts.filter((part) => part.bottom > first && part.top < first);
  const all = Math.ceil(Math.max(first, ...cut.map((part) => part.bottom)));
  if (full - first < full * LEAST_READ && !element.matches(".dense")) {
    element.classList.add("dense");
    return fitInPart(element, full);
  }
  const isLarge = full - all >= full * LEAST_IN_PART;
  if (!isLarge && cut.length)
    element.style.setProperty("--gap", `${Math.ceil(first - Math.min(...cut.map((part) => part.top)))}px`);
  element.style.setProperty("--tallest", `${Math.max(full * LEAST, full - (isLarge ? all : Math.ceil(first)))}px`);
}

/** All that may be in sight. */
const fitAll = () => [...list.children].slice(-SEEN).forEach(fit);

/** Go to the end, but not beyond the head of a last message that can be seen as a whole. */
function toEnd() {
  log.scrollTop = log.scrollHeight;
  const end = list.lastElementChild;
  if (end && end.offsetHeight <= log.clientHeight)
    log.scrollTop -= Math.max(0, log.getBoundingClientRect().top - end.getBoundingClientRect().top);
}

/** Bring a message into sight: from its beginning, unless that would leave the buttons of a post below. */
function follow(element) {
  const over = element.offsetHeight - log.clientHeight;
  if (element !== list.lastElementChild) element.scrollIntoView({ block: "nearest" });
  else if (over <= 0 || (!element.matches(".only") && element.querySelector(".row") && over < log.clientHeight / 3))
    toEnd();
  else element.scrollIntoView({ block: "start" });
  settle(element);
}

/** Go on until no row of buttons lies half below the edge, or half under the last one of its message. */
function settle(element) {
  const rows = [...element.querySelectorAll(".row")];
  const last =
    element.matches(".only") && rows.length > 1
      ? rows.pop().getBoundingClientRect().top - (isCovered(element) ? hintOf(element) : 0)
      : Infinity;
  const edge = Math.min(last, log.getBoundingClientRect().bottom);
  const cut = rows
    .flatMap((row) => [...row.children].map((each) => each.getBoundingClientRect()))
    .filter((box) => box.top + 1 < edge && box.bottom > edge);
  log.scrollTop += Math.max(0, ...cut.map((box) => Math.ceil(box.bottom - edge)));
}

/** A line that may vanish. It lies on the command line, where nothing is read, until somebody taps or types. */
function toast(text, links = []) {
  const ways = links.map((knob) => link(knob, act));
  const lines = text.split("\n").flatMap((each) => ["\n", make("span", { class: "line" }, ...signed(each))]);
  const element = make("p", {}, make("span", { dir: "auto" }, ...lines.slice(1)), ...ways);
  byId("toasts").replaceChildren(element); // the newest is enough
  element.addEventListener("click", () => {
    element.remove();
    if (!ways.length) byId("line").focus();
  });
  setTimeout(() => element.remove(), TOAST_MS);
}

// ---- what is done --------------------------------------------------------------------------------------------------

const here = () => ({ person: view.person, place: view.place });

// Kept when the page has heard for the first time who is here.
let hasArrived;
const arrival = new Promise((kept) => (hasArrived = kept));

/** Say something; what is said before the page knows by whom waits for that. */
async function send(text) {
  if (!view.person) await arrival;
  expect();
  ask({ kind: "say", text, ...here() });
}

let done = -Infinity; // when something that was done here was answered

const opened = new Set(); // the menus that came of what was done last

/** Do something: what comes until that is answered, or soon after, comes of it. What was chosen on a board before is
 * chosen no longer, and what is chosen by this only if it opens a menu. */
async function ask(event) {
  unchoose();
  const answered = line.request(event);
  busy();
  await answered;
  busy();
  done = performance.now();
  await hearing;
  if (!opened.size && !line.undone.size) unchoose();
}

/** Whether something is still to be answered here, for whoever cannot see it. */
function busy() {
  byId("composer").ariaBusy = String(line.undone.size > 0);
}

/** Let no part of a board look chosen: the menu that this opened is gone, or something else is done. */
function unchoose() {
  opened.clear();
  for (const part of document.querySelectorAll(".part.chosen")) part.classList.remove("chosen");
}

let jump = { at: -Infinity, knobs: [] };

/** Remember where the buttons and boards lay, before what comes by itself moves them. */
function keepLayout() {
  const now = performance.now();
  if (line.undone.size || now - done < CALM_MS) return;
  const isOn = now - jump.at < JUMP_MS;
  jump = { at: now, knobs: isOn ? jump.knobs : [...list.children].slice(-SEEN).toReversed().flatMap(layout) };
}

/** What fingers meet in a message, and where; what lies over others first. */
function layout(element) {
  const over = [".row:last-child :is(button, a)", ".picture", ".row :is(button, a)"];
  const knobs = over.flatMap((each) => [...element.querySelectorAll(each)]);
  return knobs.map((knob) => ({ label: nameOf(knob), box: knob.getBoundingClientRect() }));
}

const nameOf = (knob) => (knob.matches(".picture") ? "" : knob.innerText);

/** Whether a finger meets something else than what it was on its way to when the page moved by itself. */
function isMissed(event) {
  if (event.pointerType !== "touch" || event.timeStamp - jump.at > JUMP_MS) return false;
  const { clientX: x, clientY: y } = event;
  const meant = jump.knobs.find(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
  const met = event.target.closest(".row :is(button, a), .picture");
  return meant !== undefined && met !== null && meant.label !== nameOf(met);
}

let last = { at: 0, x: 0, y: 0 };

/** Whether a click meets another button than it was meant for: it is the second of a double click, or the page moved. */
function isSlip(event) {
  if (event.detail === 0) return false; // by keyboard
  if (isMissed(event)) return true;
  const now = { at: event.timeStamp, x: event.clientX, y: event.clientY };
  const isNear = Math.hypot(now.x - last.x, now.y - last.y) < SLIP_PX;
  const slipped = isNear && now.at - last.at < SLIP_MS;
  last = now;
  return slipped;
}

const act = {
  isSlip,
  /** A tap on a board where nothing can be chosen: silence would look like a page that does not listen. */
  miss: (event) => isSlip(event) || toast(say("tap.miss")),
  enlarge: (message) => enlarge(message, act.press),
  go,
  place: (address) => {
    const place = view.places.find((each) => each.id === target(address)?.place);
    return place && (place.private ? say("private") : `#${channelName(place.name)}`);
  },
  become: (person) => {
    drawer(false);
    line.send({ kind: "look", person, place: view.place });
  },
  look: (place) => {
    drawer(false);
    line.send({ kind: "look", person: view.person, place });
  },
  change: ({ id }) => askPerson(view.people.find((each) => each.id === id)),
  dismiss: (message) => line.send({ kind: "dismiss", message: message.id, ...here() }),
  /** Whether that counts: while something else of this message is carried out, nothing does. */
  press: (message, payload) => {
    if (view.busy.has(message.id)) return false;
    expect();
    view.busy.add(message.id);
    elementOf(message.id)?.classList.add("busy");
    const focus = elementOf(message.id)?.contains(document.activeElement) ? document.activeElement : null;
    const mine = (taken = { by: focus === null ? "" : focus.matches(".part") ? "part" : "button" });
    ask({ kind: "press", message: message.id, payload, ...here() }).then(() => {
      view.busy.delete(message.id);
      point(); // a turn that everybody sees as a whole has begun, or begins anew
      if (taken === mine) taken = { by: "" }; // else something else has been pressed meanwhile
      elementOf(message.id)?.classList.remove("busy");
    });
    return true;
  },
};

prepareSide();
prepareSheets(
  (who) => line.send({ kind: "person", who }),
  (name) => line.send({ kind: "channel", name }),
);
prepareCommand((text, n) => line.send({ kind: "complete", n, text, ...here() }), send, toast);
byId("line").addEventListener("input", () => byId("toasts").replaceChildren());
byId("person-add").addEventListener("click", () => askPerson());
byId("channel-add").addEventListener("click", () => askChannel());
byId("me").addEventListener("click", () =>
  byId("side").inert ? drawer(true) : byId("people").querySelector("button").focus(),
);
byId("newer").addEventListener("click", toEnd);
addEventListener("resize", fitAll);

/** Do not wait for pictures that are shown no longer: on a slow line they are in the way of what came after them. */
function spare(changes) {
  for (const old of changes.flatMap((each) => [...each.removedNodes])) {
    if (old.isConnected || !(old instanceof Element)) continue;
    const pictures = old.matches("img") ? [old] : old.querySelectorAll("img");
    for (const picture of pictures) if (!picture.complete) picture.removeAttribute("src");
  }
}

let isTold = false;
const tell = () => {
  if (isTold) return;
  isTold = true;
  requestAnimationFrame(() => {
    isTold = false;
    const elements = [...list.children].slice(-SEEN);
    const seen = elements.findLast((each) => each.getBoundingClientRect().top < log.getBoundingClientRect().bottom);
    const before = seen?.getBoundingClientRect().top;
    tellCovered(elements);
    const moved = seen ? seen.getBoundingClientRect().top - before : 0;
    if (moved) log.scrollTop += moved; // a menu above it is lower now
  });
};
addEventListener("resize", tell);
log.addEventListener("scroll", tell, { passive: true });
new MutationObserver(spare).observe(document.body, { childList: true, subtree: true });
new MutationObserver(tell).observe(list, { childList: true, subtree: true });
// Whoever goes on has read it.
document.addEventListener(
  "pointerdown",
  (event) => event.target.closest("#toasts") || byId("toasts").replaceChildren(),
);
log.addEventListener("scroll", () => isAtEnd() && (byId("newer").hidden = true), { passive: true });
// A key that is held down presses a button once.
log.addEventListener(
  "keydown",
  (event) =>
    event.repeat &&
    event.target.matches("button") &&
    (event.key === "Enter" || event.key === " ") &&
    event.preventDefault(),
);
byId("theme").addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
  dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("theme", dataset.theme);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
});
document.addEventListener("keydown", (event) => {
  if (
    event.key !== "/" ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    event.target.matches("input, textarea") ||
    document.querySelector("dialog[open]")
  )
    return;
  event.preventDefault();
  begin("/");
});

const line = new Line(
  () => ({ kind: "hello", lang: navigator.language.slice(0, 40), ...remembered() }),
  heard,
  (isUp) => {
    byId("offline").hidden = isUp;
    document.documentElement.classList.toggle("live", isUp);
  },
);
