// The state of the page, the events that change it, and the actions. The server keeps the truth; this shows it.

import { shimmer } from "./board.js";
import { begin, prepare as prepareCommand, show as showCompletions } from "./command.js";
import { byId, dress, icon, make, named } from "./dom.js";
import { Line } from "./line.js";
import { drawn, link } from "./message.js";
import { fit, fitAll, follow, isAtEnd, toEnd } from "./scroll.js";
import { askChannel, askPerson, closeIfGone, enlarge, prepare as prepareSheets, refresh, tell } from "./sheets.js";
import { closeDrawer, drawSide } from "./side.js";
import { signed } from "./signs.js";
import { around, channelName, say, speak } from "./words.js";

const QUICK = "/newgame ";
const BOARD = "/board";
const DAILY = "/daily";
const MOST = 300; // messages on the page
const SLIP_MS = 350; // a second click within this time and distance belongs to the first
const SLIP_PX = 12;
const SURPRISE_MS = 400; // a finger so soon after the page changed by itself was meant for an earlier element
const CALM_MS = 1000; // an event so long after the last answer comes by itself
const TOAST_MS = 6000;
const KEPT_MS = 1500; // a line about a post that has come
const THINKING_MS = 400; // a quicker answer needs no sign
const PATIENCE_MS = 10_000; // a post within this time after an action is its result
const KNOB = ".row :is(button:enabled:not(.done), select)"; // can take the focus: not a mere gap between buttons

// With a finger, focus in the command line would open a keyboard over half the page.
const COARSE = matchMedia("(pointer: coarse)");

const UNPOINTED = { id: "", parts: [], closed: [], elsewhere: "" };

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
  pointed: UNPOINTED, // the newest board, and its parts for this person
};

const here = () => ({ person: view.person, place: view.place });
const me = () => view.people.find((person) => person.id === view.person);
const placeHere = () => view.places.find((place) => place.id === view.place);
const isPrivate = () => placeHere()?.private ?? false;
const titleOf = (place) => (place.private ? say("private") : `#${channelName(place.name)}`);
const elementOf = (id) => [...list.children].find((element) => element.dataset.id === id);

/** The newest post of the bot. In the private chat every message is for one person, and posts are those that call. */
const newestPost = () =>
  [...view.messages.values()].findLast(
    ({ author, only, call }) => author === null && (only === null || (isPrivate() && call)),
  );

// The message to scroll to once its place is shown: by a link, or by the page's own address.
let wanted = target(location.hash);

/** Return the target of an address `#<place>/<message>`; null for any other. */
function target(address) {
  const [, place, id] = /^#(.+)\/([\w-]+)$/.exec(address) ?? [];
  return place ? { place, id } : null;
}

// ---- memory between visits -----------------------------------------------------------------------------------------

function remembered() {
  try {
    const { people = [], channels = [] } = JSON.parse(localStorage.getItem("known") ?? "{}");
    const [person, place] = ["person", "place"].map(
      (key) => sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "",
    );
    return { people, channels, person, place: wanted?.place ?? place };
  } catch {
    return {};
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

function timeZone() {
  return (Intl.DateTimeFormat().resolvedOptions().timeZone ?? "").slice(0, 40);
}

// ---- events --------------------------------------------------------------------------------------------------------

// Events are handled one after the other, as words may have to be fetched before the next one can be drawn.
let hearing = Promise.resolve();

function heard(event) {
  hearing = hearing.then(() => hear(event)).catch((problem) => console.error(problem));
}

async function hear(event) {
  const now = performance.now();
  const isByItself = event.place === view.place && line.undone.size === 0 && now - answered_ms > CALM_MS;
  if (isByItself && (event.kind === "put" || event.kind === "removed")) surprise_ms = now;
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
      if (event.thinks && !expected_ms) return; // its answer has come
      return toast(event.text, event.links, event.promises || event.thinks);
    case "begin":
      return byId("line").value || begin(event.text, event.payload);
    case "completions":
      return event.n < 0 ? quick(event) : showCompletions(event);
  }
}

function arrive({ run, person, place, people, places, messages }) {
  const isFresh = view.run !== "" && view.run !== run;
  if (isFresh) view.unread.clear();
  if (view.run && (person !== view.person || place !== view.place)) closeDrawer();
  if (person !== view.person) byId("toasts").replaceChildren();
  Object.assign(view, { run, person, place, people, places, pointed: UNPOINTED });
  view.messages = new Map(messages.map((message) => [message.id, message]));
  view.unread.delete(place);
  view.waiting.delete(person);
  hasArrived();
  remember();
  list.replaceChildren(...(isFresh ? [restarted()] : []), ...messages.map(draw));
  opening();
  mark();
  fitAll();
  if (messages.length) toEnd();
  else log.scrollTop = 0;
  reach();
  point();
}

/** Go to a message by its address, or to the end of its place if the message is gone. */
function go(address) {
  wanted = target(address);
  if (wanted?.place === view.place) reach();
  else if (wanted) act.look(wanted.place);
}

/** Scroll to the wanted message if it is here. */
function reach() {
  const element = wanted?.place === view.place ? elementOf(wanted.id) : null;
  wanted = null;
  if (!element) return;
  element.scrollIntoView({ block: element.offsetHeight > log.clientHeight ? "start" : "center" });
  element.focus({ preventScroll: true });
}

function put({ place, message, new: isNew }) {
  const wasAtEnd = isAtEnd();
  if (isNew && message.image?.kind === "chart" && !(place === view.place && wasAtEnd)) announce(place, message);
  if (place !== view.place) {
    if (isNew) view.unread.set(place, (view.unread.get(place) ?? 0) + 1);
    return mark();
  }
  const old = elementOf(message.id);
  if (!old && !isNew) return;
  const element = draw(message);
  if (old) exchange(old, element);
  else list.append(element);
  if (isNew && message.image?.shines.length) element.querySelector(".picture").append(shimmer(message.image));
  fit(element);
  view.messages.set(message.id, message);
  const isAnswer = message.only === view.person;
  const isPost = message.author === null && message.only === null;
  if (isAnswer && message.rows.length && line.undone.size) opened.add(message.id);
  if (isNew && isPost) document.querySelector("#toasts .promise")?.remove(); // here is the post that it promised
  if (isPost || (message.author === null && message.call)) point();
  refresh(withParts(message), isNew && isAnswer);
  for (const id of [...view.messages.keys()].slice(0, -MOST)) remove(id);
  mark();
  if (isNew) moveFocus(message, element, isAnswer);
  if (isNew && message.image && message.id === newestPost()?.id) byId("begin").hidden = true; // a game is on
  scrollTo(message, element, { isNew, isPost, wasAtEnd });
}

/** Say that an analysis is finished, with a link to it, to a reader who looks at something else. */
function announce(place, { id, title }) {
  toast(title, [{ label: say("go"), link: `#${place}/${id}`, style: "plain" }]);
}

/** Move the focus to a new message if it answers the element with the focus, or calls the person who waits at a board. */
function moveFocus(message, element, isAnswer) {
  const isAtBoard = document.activeElement?.closest("article")?.matches(".pictured:not(.only)");
  if (isAnswer && pressed.by) {
    const first = (pressed.by === "part" && element.querySelector(".part")) || element.querySelector(KNOB);
    first?.focus({ preventScroll: true });
  }
  if (isAtBoard && message.call?.person === view.person) focusMove();
}

/** Scroll to a message if it results from an action of this person, or if they are at the end anyway. */
function scrollTo(message, element, { isNew, isPost, wasAtEnd }) {
  const isLast = element === list.lastElementChild;
  const isMine = message.author?.id === view.person || message.only === view.person;
  const isOver = !isNew && !isLast && !element.querySelector(".row"); // a former board or a used menu
  const isAboveMenu = !isNew && message.call && wasAtEnd && !isLast;
  const isExpected = isNew && isPost && Date.now() < expected_ms;
  if (isExpected) expected_ms = 0;
  if (isNew && message.image?.kind === "badge") return void (byId("newer").hidden = isAtEnd()); // the final board stays
  if (((isMine && !isOver) || isExpected) && !isAboveMenu) follow(element);
  else if (isNew && wasAtEnd) follow(element);
  else if (wasAtEnd) toEnd();
  else if (isNew) byId("newer").hidden = false;
}

function remove(id) {
  closeIfGone(id);
  if (opened.delete(id) && !opened.size && !line.undone.size) unchoose();
  view.messages.delete(id);
  const element = elementOf(id);
  const hadFocus = element?.contains(document.activeElement);
  element?.remove();
  if (hadFocus && !focusMove()) (COARSE.matches ? log : byId("line")).focus({ preventScroll: true });
}

/** Focus the place of the next move: the first button of the newest board. */
function focusMove() {
  const board = elementOf(newestPost()?.id);
  const first = board?.querySelector(KNOB) ?? board;
  first?.focus({ preventScroll: true });
  return Boolean(first);
}

/** Replace a message; the focus stays on the same button, or goes to the first one. */
function exchange(old, element) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  linger(old, element);
  old.replaceWith(element);
  if (focus === old) element.focus({ preventScroll: true });
  else if (focus) refocus(element, focus.matches(".part") ? ".part" : KNOB, focus.dataset.payload);
}

/** Show the former picture of a message until its new one is here. */
function linger(old, element) {
  const [former, fresh] = [old, element].map((message) => message.querySelector(".picture img"));
  if (!former?.naturalWidth || !fresh || fresh.complete) return;
  const copy = make("canvas", { class: "former", width: former.naturalWidth, height: former.naturalHeight });
  copy.getContext("2d").drawImage(former, 0, 0);
  fresh.after(copy);
  for (const end of ["load", "error"]) fresh.addEventListener(end, () => copy.remove(), { once: true });
}

function refocus(element, selector, payload) {
  const knobs = [...element.querySelectorAll(selector)];
  const same = knobs.find((knob) => knob.dataset.payload === payload);
  (same ?? knobs[0] ?? element).focus({ preventScroll: true });
}

/** Return a line that says that the bot has restarted, and how to get the board. */
function restarted() {
  const [before, after] = around("fresh.board", "command");
  const board = make("button", { type: "button", onclick: () => send(BOARD) }, BOARD);
  return make("p", { class: "fresh", role: "status" }, say("fresh"), make("span", {}, " ", before, board, after));
}

/** Show how a place begins: a hint, and games to start with one tap. */
function opening() {
  const place = placeHere();
  const name = place.private ? me().name : channelName(place.name);
  byId("begin").hidden = Boolean(newestPost()?.image); // a game is on
  byId("begin-title").textContent = place.private ? say("private") : say("channel.begin", { name });
  byId("quick").replaceChildren();
  const [before, after] = around(place.private ? "private.begin" : "channel.hint", "command", { name });
  const command = make("button", { type: "button", class: "code", onclick: () => begin(QUICK) }, QUICK.trim());
  byId("begin-hint").replaceChildren(before, command, after);
  line.send({ kind: "complete", n: -1, ...here(), text: QUICK });
}

function quick({ items }) {
  const daily = { line: DAILY, label: say("daily"), about: say("daily.about") };
  const isFirst = placeHere().name === "daily";
  const chips = (isFirst ? [daily, ...items] : [...items, daily]).map((item) =>
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

// ---- drawing -------------------------------------------------------------------------------------------------------

function draw(message) {
  const element = drawn(withParts(message), view.person, isPrivate(), act);
  element.classList.toggle("busy", view.busy.has(message.id));
  return element;
}

/** Return a message with its parts: the server sends those of the newest board apart, to one person. */
function withParts(message) {
  const { id, ...places } = view.pointed;
  return message.id === id ? { ...message, ...places, isUnmarked: true } : message;
}

/** Ask for the parts of the newest board that this person can tap. One that calls somebody else has none; one that was
 * shown again calls nobody. */
function point() {
  const newest = newestPost();
  const mayBeUp = newest?.call ? newest.call.person === view.person : newest?.rows.length > 0;
  if (newest?.image && mayBeUp) line.send({ kind: "point", message: newest.id, ...here() });
  else pointed({ ...here(), ...UNPOINTED, message: "" });
}

/** Take the parts of the newest board; without a message no board can be tapped any more. */
function pointed({ person, place, message, parts, closed, elsewhere }) {
  if (person !== view.person || place !== view.place || (message && message !== newestPost()?.id)) return;
  const former = view.pointed;
  view.pointed = parts.length ? { id: message, parts, closed, elsewhere } : UNPOINTED;
  if (JSON.stringify(former) === JSON.stringify(view.pointed)) return;
  for (const id of new Set([former.id, view.pointed.id])) {
    const [known, old] = [view.messages.get(id), elementOf(id)];
    if (known && old) repaint(old, draw(known));
    if (known) refresh(withParts(known));
  }
  mark();
}

/** Replace the picture and the head of a message. Its buttons stay where they are, though the picture may change its
 * size: a finger may be on its way. */
function repaint(old, element) {
  const row = old.querySelector(".row");
  const top = row?.getBoundingClientRect().top;
  const focus = document.activeElement;
  for (const part of [".picture", "header"]) old.querySelector(part)?.replaceWith(element.querySelector(part));
  fit(old);
  if (row && top < log.getBoundingClientRect().bottom) log.scrollTop += row.getBoundingClientRect().top - top;
  if (focus?.matches(".part") && !focus.isConnected) refocus(old, ".part", focus.dataset.payload);
}

/** Offer to close all private messages at once on the newest one, if there are several. */
function offerClosing() {
  const mine = [...list.querySelectorAll("article.only")];
  const old = list.querySelector(".close-all");
  const cross = mine.length > 1 ? mine.at(-1).querySelector("header > .dismiss") : null;
  if (old && old.nextElementSibling !== cross) old.remove();
  if (!cross || cross.previousElementSibling?.matches(".close-all")) return;
  const label = say("dismiss.all");
  cross.before(make("button", { type: "button", class: "close-all", onclick: closeAll }, label));
}

/** Close all private messages of this person here. */
function closeAll() {
  for (const message of view.messages.values()) if (message.only === view.person) act.dismiss(message);
}

/** Update everything beside the messages, and which message calls this person. */
function mark() {
  const place = placeHere();
  if (!place) return;
  offerClosing();
  drawSide(view, act);
  const hash = make("span", { class: "hash" }, "#");
  byId("place").replaceChildren(
    place.private ? icon("lock") : hash,
    named(place.private ? say("private") : channelName(place.name)),
  );
  const sign = make("span", { class: "avatar", "aria-hidden": "true" });
  byId("me").replaceChildren(dress(sign, me()), named(me().name));
  byId("me").setAttribute("aria-label", say("person.you", { name: me().name }));
  dress(byId("avatar"), me());
  showThinking(isThinking);
  const called = newestPost()?.call?.person === view.person ? newestPost().id : null;
  for (const element of list.children) element.classList.toggle("called", element.dataset.id === called);
  document.title = `${called ? "● " : ""}${titleOf(place)} – ${say("title")}`;
}

/** Show a line that vanishes. It covers the command line until the person taps or types, or the post that it promises
 * comes. */
function toast(text, links = [], promises = false) {
  tell(text); // where an enlarged picture covers the line
  const ways = links.map((knob) => link(knob, act));
  const lines = text.split("\n").flatMap((words) => ["\n", make("span", { class: "line" }, ...signed(words))]);
  const element = make("p", {}, make("span", { dir: "auto" }, ...lines.slice(1)), ...ways);
  element.classList.toggle("promise", promises);
  byId("toasts").replaceChildren(element); // the newest is enough
  element.addEventListener("click", () => {
    element.remove();
    if (!ways.length) byId("line").focus();
  });
  setTimeout(() => element.remove(), promises && !expected_ms ? KEPT_MS : TOAST_MS);
}

// ---- actions -------------------------------------------------------------------------------------------------------

let hasArrived; // resolves when the page knows who is here
const arrival = new Promise((resolve) => (hasArrived = resolve));

let answered_ms = -Infinity; // when the last action was answered
let surprise_ms = -Infinity; // when something came by itself
let expected_ms = 0; // until then a post is the result of an action
let pressed = { by: "" }; // "part" or "button" if the focus waits there for its answer, which then gets it
const opened = new Set(); // the menus that the last action opened

/** Send a line, which the button with `payload` may have begun. What is typed before the page knows who is here waits for that. */
async function send(text, payload = "") {
  if (!view.person) await arrival;
  ask({ kind: "say", text, payload, ...here() });
}

/** Do something and wait for its answer. A part of a board stays chosen only if the action has opened a menu. */
async function ask(event) {
  expected_ms = Date.now() + PATIENCE_MS;
  unchoose();
  const answer = line.request(event);
  showBusy();
  await answer;
  showBusy();
  answered_ms = performance.now();
  await hearing;
  if (!opened.size && !line.undone.size) unchoose();
}

let isThinking = false; // an action has been under way for a while
let thinking;

function showBusy() {
  const isBusy = line.undone.size > 0;
  byId("composer").ariaBusy = String(isBusy);
  clearTimeout(thinking);
  if (isBusy) thinking = setTimeout(showThinking, THINKING_MS, true);
  else showThinking(false);
}

function showThinking(is) {
  isThinking = is;
  byId("composer").classList.toggle("thinking", is);
  byId("line").placeholder = say(is ? "thinking" : "command.placeholder");
}

function unchoose() {
  opened.clear();
  for (const part of document.querySelectorAll(".part.chosen")) part.classList.remove("chosen");
}

let lastClick = { at: 0, x: 0, y: 0 };

/** Return whether a click was meant for something else: it is the second one of a double click, or the page changed
 * under the finger. */
function isSlip(event) {
  if (event.detail === 0) return false; // by keyboard
  const isMessage = list.contains(event.target);
  if (isMessage && event.pointerType === "touch" && event.timeStamp - surprise_ms < SURPRISE_MS) return true;
  const click = { at: event.timeStamp, x: event.clientX, y: event.clientY };
  const isNear = Math.hypot(click.x - lastClick.x, click.y - lastClick.y) < SLIP_PX;
  const isSecond = isNear && click.at - lastClick.at < SLIP_MS;
  lastClick = click;
  return isSecond;
}

const act = {
  isSlip,
  /** Answer a tap beside the parts of a board. */
  miss: (event, { elsewhere }, at) => {
    if (isSlip(event)) return;
    if (elsewhere) line.send({ kind: "elsewhere", payload: elsewhere, at, ...here() });
    else toast(say("tap.miss"));
  },
  /** Enlarge a picture, around a `spot` of it if there is one. */
  enlarge: (message, spot) => enlarge(message, act, spot),
  go,
  place: (address) => {
    const place = view.places.find(({ id }) => id === target(address)?.place);
    return place && titleOf(place);
  },
  copy: async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(say("copied"));
    } catch {
      toast(say("copied.not")); // without HTTPS or the permission
    }
  },
  become: (person) => {
    closeDrawer();
    line.send({ kind: "look", ...here(), person });
  },
  look: (place) => {
    closeDrawer();
    line.send({ kind: "look", ...here(), place });
  },
  change: (id) => askPerson(view.people.find((person) => person.id === id)),
  dismiss: (message) => line.send({ kind: "dismiss", message: message.id, ...here() }),
  /** Press a button. Return whether that counts: a message takes one press at a time. */
  press: (message, payload) => {
    if (view.busy.has(message.id)) return false;
    view.busy.add(message.id);
    elementOf(message.id)?.classList.add("busy");
    const focus = elementOf(message.id)?.contains(document.activeElement) ? document.activeElement : null;
    const press = { by: focus === null ? "" : focus.matches(".part") ? "part" : "button" };
    pressed = press;
    ask({ kind: "press", message: message.id, payload, ...here() }).then(() => {
      view.busy.delete(message.id);
      point(); // a turn that is shown as a whole may have begun
      if (pressed === press) pressed = { by: "" };
      elementOf(message.id)?.classList.remove("busy");
    });
    return true;
  },
};

/** Stop loading pictures that were replaced: on a slow line they would delay the next ones. */
function stopLoading(changes) {
  for (const node of changes.flatMap((change) => [...change.removedNodes])) {
    if (node.isConnected || !(node instanceof Element)) continue;
    for (const picture of node.matches("img") ? [node] : node.querySelectorAll("img")) {
      if (!picture.complete) picture.removeAttribute("src");
    }
  }
}

new MutationObserver(stopLoading).observe(document.body, { childList: true, subtree: true });

prepareSheets(
  (who) => line.send({ kind: "person", who }),
  (name) => line.send({ kind: "channel", name }),
);
prepareCommand((text, n) => line.send({ kind: "complete", n, text, ...here() }), send, toast);
byId("line").addEventListener("input", () => byId("toasts").replaceChildren());
byId("person-add").addEventListener("click", () => askPerson());
byId("channel-add").addEventListener("click", () => askChannel());
byId("newer").addEventListener("click", toEnd);
log.addEventListener("scroll", () => isAtEnd() && (byId("newer").hidden = true), { passive: true });

// A person who goes on has read the line.
document.addEventListener(
  "pointerdown",
  (event) => event.target.closest("#toasts") || byId("toasts").replaceChildren(),
);

// A key that is held down presses a button once.
log.addEventListener("keydown", (event) => {
  if (event.repeat && event.target.matches("button") && (event.key === "Enter" || event.key === " "))
    event.preventDefault();
});

// A slash begins a command wherever the focus is.
document.addEventListener("keydown", (event) => {
  const isTyped = event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyped || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  begin("/");
});

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

const line = new Line(
  () => ({ kind: "hello", lang: navigator.language.slice(0, 40), zone: timeZone(), ...remembered() }),
  heard,
  (isUp) => {
    byId("offline").hidden = isUp;
  },
);
