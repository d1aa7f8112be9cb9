// One message as elements. `act` has the actions of app.js.

import { pictured } from "./board.js";
import { avatar, icon, iconButton, make, named } from "./dom.js";
import { locale, say } from "./words.js";
import { signed } from "./signs.js";

const CROSS = "✕"; // closes a menu
const WIDE = 5; // more buttons in a row lie like a board

/** Return a message as an element. `me`: the reader; `isPrivate`: the place is their own chat with the bot. */
export function drawn(message, me, isPrivate, act) {
  const isBot = message.author === null;
  const isMine = message.only !== null && !isPrivate;
  const kind = ["message", isBot ? "bot" : "said", isMine && "only", message.image && "pictured"].filter(Boolean);
  const words = [
    message.text ? make("p", { class: "text", dir: "auto" }, ...paragraphs(message.text)) : null,
    message.paste ? make("p", { class: "paste", dir: "auto" }, ...signed(message.paste)) : null,
    message.small ? make("p", { class: "small", dir: "auto" }, ...signed(message.small)) : null,
  ];
  const image = message.image ? picture(message, act) : null;
  const body = make(
    "div",
    { class: "body" },
    head(message, isBot, isMine, act),
    message.own?.[me] ? make("p", { class: "own", dir: "auto" }, ...signed(message.own[me])) : null,
    ...(isMine && message.title ? [] : titles(message)),
    ...(message.image?.kind === "chart" ? [image, ...words] : [...words, image]),
    message.paste ? copier(message.paste, act) : null,
    message.file ? download(message.file) : null,
    message.call ? call(message.call, me, act) : null,
    ...rowsOf(message, me, isMine).map((row) => knobs(row, message, act)),
  );
  const element = make(
    "article",
    { class: kind.join(" "), "data-id": message.id, tabindex: "-1" },
    face(message),
    body,
  );
  if (message.image?.width) element.style.setProperty("--ratio", String(message.image.width / message.image.height));
  return element;
}

/** Return the quote and the title. In a private message they are in its head, as its board needs the height. */
function titles({ quote, title }) {
  return [
    quote ? make("p", { class: "quote", dir: "auto" }, ...signed(quote)) : null,
    title ? make("h3", { dir: "auto" }, ...signed(title)) : null,
  ];
}

/** Return a text with less than an empty line between its paragraphs. */
function paragraphs(text) {
  const parts = text.split("\n\n");
  if (parts.length === 1) return signed(text);
  return parts.flatMap((part) => ["\n\n", make("span", { class: "paragraph" }, ...signed(part))]).slice(1);
}

const isCross = (knob) => knob.label === CROSS;
const crossOf = (message) => message.rows.filter(Array.isArray).flat().find(isCross);

/** Return the rows of a message for its reader. Buttons that lead them no further get the style "done". A private
 * message has its cross in the head instead. */
function rowsOf(message, me, isMine) {
  const mine = (knob) => {
    if (knob.done.includes(me)) return { ...knob, style: "done" };
    return knob.whose.length && !knob.whose.includes(me) ? { ...knob, style: "plain" } : knob;
  };
  const shown = (row) => (Array.isArray(row) ? row.filter((knob) => !isMine || !isCross(knob)).map(mine) : row);
  return message.rows.map(shown).filter((row) => row.length !== 0);
}

function face(message) {
  return message.author ? avatar(message.author) : make("img", { class: "avatar", src: "/kaleidoscope.svg", alt: "" });
}

function head(message, isBot, isMine, act) {
  const at = new Date(message.at);
  const clock = new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(at);
  return make(
    "header",
    {},
    isMine
      ? make("strong", { class: "whose" }, icon("eye"), say("only"))
      : make("strong", { class: "author" }, isBot ? say("bot") : named(message.author.name)),
    make("time", { datetime: at.toISOString() }, clock),
    ...(isMine && message.title ? titles(message) : []),
    message.image && message.parts.length ? grow(message, act) : null,
    isMine ? dismiss(message, crossOf(message), act) : null,
  );
}

function grow(message, act) {
  return iconButton("grow", say("enlarge"), { class: "icon larger", onclick: () => act.enlarge(message) });
}

function dismiss(message, cross, act) {
  const onclick = () => (cross ? act.press(message, cross.payload) : act.dismiss(message));
  return iconButton("close", say("dismiss"), { class: "icon dismiss", "data-payload": cross?.payload, onclick });
}

/** Return a picture. A tap enlarges it; if its parts can be tapped, a button in the head does, or the tap of a finger for
 * which they are too small. */
function picture(message, act) {
  const { image, parts, closed } = message;
  if (image.kind === "badge") return make("div", { class: "picture badge" }, ...pictured(image));
  if (!parts.length) {
    const onclick = () => act.enlarge(message);
    return make("button", { type: "button", class: "picture", title: say("enlarge"), onclick }, ...pictured(image));
  }
  const choose = (payload, event) => !act.isSlip(event) && act.press(message, payload);
  const larger = (event, point) => act.isSlip(event) || act.enlarge(message, point);
  const miss = (event, point) => act.miss(event, message, point);
  const layers = pictured(image, parts, closed, choose, miss, larger);
  return make("div", { class: message.isUnmarked ? "picture board unmarked" : "picture board" }, ...layers);
}

/** Return a button that copies the text of a message. */
function copier(text, act) {
  return make("button", { type: "button", class: "copy", onclick: () => act.copy(text) }, icon("copy"), say("copy"));
}

function download(file) {
  const size = new Intl.NumberFormat(locale(), { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 });
  return make(
    "a",
    { class: "file", href: file.src, download: file.name, title: say("file.save") },
    icon("save"),
    make("span", {}, file.name),
    make("small", {}, size.format(file.size / 1000)),
  );
}

/** Return the line that calls a person. A press on the name lets another reader become them. */
function call(ping, me, act) {
  const isMe = ping.person === me;
  const name = make("bdi", {}, `@${ping.name}`);
  const title = say("person.switch", { name: ping.name });
  const mention = isMe
    ? make("span", { class: "mention" }, name)
    : make("button", { type: "button", class: "mention", title, onclick: () => act.become(ping.person) }, name);
  return make("p", { class: "call", dir: "auto" }, ...signed(ping.before), mention, ...signed(ping.after));
}

/** Return a list to choose one from. Keys open it, as a closed one would choose at every arrow key. */
function pick({ label, choices }, choose) {
  const options = choices.map((choice) => new Option(choice.label, choice.payload, false, choice.chosen));
  if (!choices.some(({ chosen }) => chosen)) options.unshift(make("option", { hidden: true, selected: true }, "–"));
  const onchange = (event) => choose(event.target.value);
  const list = make("select", { "data-payload": `list ${label}`, dir: "auto", onchange, onkeydown: open }, ...options);
  return make("label", { class: "row pick" }, make("span", { dir: "auto" }, label), list);
}

function open(event) {
  if (!event.key.startsWith("Arrow") && event.key.length > 1) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches(":open")) return;
  event.preventDefault();
  event.target.showPicker();
}

function knobs(row, message, act) {
  if (!Array.isArray(row)) return pick(row, (payload) => act.press(message, payload));
  const element = make(
    "div",
    { class: row.length > WIDE ? "row wide" : "row" },
    ...row.map((knob) => button(knob, message, act)),
  );
  element.style.setProperty("--columns", String(row.filter((knob) => knob.style !== "done").length));
  element.classList.toggle("cross", row.length === 1 && row[0].label === CROSS);
  return element;
}

function button(knob, message, act) {
  const element = knob.link ? link(knob, act) : press(knob, message, act);
  const longest = Math.max(...knob.label.split(/\s+/).map((word) => word.length));
  element.style.setProperty("--word", String(longest)); // on a narrow screen a button is at least as wide as its words
  return element;
}

function press(knob, message, act) {
  const onclick = (event) => act.isSlip(event) || act.press(message, knob.payload);
  const disabled = knob.style === "blank"; // only fills a gap
  return make(
    "button",
    { type: "button", class: knob.style, disabled, "data-payload": knob.payload, dir: "auto", onclick },
    ...signed(knob.label),
  );
}

/** Return a link to a message, perhaps in another place. If its name has to be shortened, the arrow stays. */
export function link(knob, act) {
  const onclick = (event) => {
    event.preventDefault();
    if (!act.isSlip(event)) act.go(knob.link);
  };
  const place = act.place(knob.link); // shown after the label
  const [, name, arrow = ""] = /^(.*?)( ↗)?$/su.exec(knob.label);
  const label = make("span", { class: "label" }, make("span", { class: "name" }, ...signed(name)), arrow);
  return make(
    "a",
    { href: knob.link, class: knob.style, dir: "auto", "data-place": place && ` ${place}`, onclick },
    label,
  );
}
