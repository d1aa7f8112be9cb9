// The page's texts, from the server's catalogue. The scripts contain no sentences.

let words = {};
let languages = {};
let spoken = "";

/** Return the text of a key with `{names}` filled in. */
export function say(key, facts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}

/** Return the name of a channel. The first ones have a name in each language. */
export function channelName(name) {
  if (name === "lobby") return say("channel.lobby");
  if (name === "daily") return say("channel.daily");
  return name === "table-2" ? say("channel.second") : name;
}

/** Return the parts of a text before and after one of its `{names}`. */
export function around(key, name, facts = {}) {
  const [before, after = ""] = (words[key] ?? "").split(`{${name}}`);
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, each) => facts[each] ?? "");
  return [fill(before), fill(after)];
}

/** Return the languages as [tag, own name]. */
export const tongues = () => Object.entries(languages);

/** Return the reader's regional form of the page's language, for times and numbers. */
export const locale = () => navigator.languages.find((each) => each.split("-")[0] === spoken) ?? spoken;

/** Fetch the texts of a language and fill the page's marked elements. */
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
