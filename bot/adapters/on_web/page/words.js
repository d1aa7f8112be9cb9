// What the page says, from the server's catalogue. No sentence stands in a script.

let words = {};
let languages = {};
let spoken = "";

/** The text of a key, with `{names}` filled in. */
export function say(key, facts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}

/** What a channel is called: those that are there from the start have a name in each language. */
export function channelName(name) {
  if (name === "lobby") return say("channel.lobby");
  return name === "table-2" ? say("channel.second") : name;
}

/** The parts of a text round one of its `{names}`: [before, after]. */
export function around(key, name, facts = {}) {
  const [before, after = ""] = (words[key] ?? "").split(`{${name}}`);
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, each) => facts[each] ?? "");
  return [fill(before), fill(after)];
}

/** The languages that there are, each by its own name. */
export const tongues = () => Object.entries(languages);

export const language = () => spoken;

/** The language that is spoken, as it is written where the reader lives: for times and numbers. */
export const locale = () => navigator.languages.find((each) => each.split("-")[0] === spoken) ?? spoken;

/** Fetch the words of a language and put them where the page has marked places for them. */
export async function speak(lang) {
  if (lang === spoken) return;
  const answer = await fetch(`/words/${lang}.json`);
  if (!answer.ok) throw new Error(answer.statusText);
  ({ words, languages } = await answer.json());
  spoken = lang;
  document.documentElement.lang = lang;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.matches("button")) element.title = say(element.dataset.label);
  }
}
