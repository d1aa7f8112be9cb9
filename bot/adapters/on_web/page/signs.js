// The signs of the games, drawn by the page, as a system may have no font for them. Each one is a stack of
// [colour, outline] in a square of 24. The sign stays in the text for copying and for screen readers.

import { draw, make } from "./dom.js";

const DISC = "M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20z";
const RIM = "M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20zm0 2a8 8 0 1 1 0 16 8 8 0 1 1 0-16z";
const BOX = "M5 3h14q2 0 2 2v14q0 2-2 2H5q-2 0-2-2V5q0-2 2-2z";
const EDGE = "M5 3h14q2 0 2 2v14q0 2-2 2H5q-2 0-2-2V5q0-2 2-2zm0 2v14h14V5z";
const STAR_FACE =
  "M12 4.300l2.500 5.300 5.600.7-4.200 3.900 1.200 5.700L12 17.100l-5.100 2.800 1.200-5.700-4.200-3.900 5.600-.7z";
const STAR = "M12 1.5l3.2 6.9 7.4.9-5.5 5.1 1.5 7.400L12 18.100l-6.6 3.7 1.5-7.400L1.4 9.300l7.4-.9z";

const LIT = "#9d93a8"; // the edge of black signs, which would vanish on a dark ground

const disc = (colour, edge = "#0005") => [
  [colour, DISC],
  [edge, RIM],
];
const box = (colour, edge = "#0005") => [
  [colour, BOX],
  [edge, EDGE],
];
const corner = (outline) => [["currentColor", outline]];
const medal = (colour) => [
  ["#c33f4d", "M6 1h5l2 7H9zM13 1h5l-3 7h-4z"],
  [colour, "M12 7a7.5 7.5 0 1 0 0 15 7.5 7.5 0 1 0 0-15z"],
  ["#0004", "M12 10a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9z"],
];

export const SIGNS = {
  "🔴": disc("#e5484d"),
  "🟠": disc("#f08c2e"),
  "🟡": disc("#f2c531"),
  "🟢": disc("#3fae5a"),
  "🔵": disc("#3b82e0"),
  "🟣": disc("#9a5bd6"),
  "⚪": disc("#f4f1f6"),
  "⚫": disc("#2a2431", LIT),
  "🟥": box("#e5484d"),
  "🟧": box("#f08c2e"),
  "🟨": box("#f2c531"),
  "🟩": box("#3fae5a"),
  "🟦": box("#3b82e0"),
  "🟪": box("#9a5bd6"),
  "⬜": box("#f4f1f6"),
  "⬛": box("#2a2431", LIT),
  "🩵": [
    ["#4cc3cf", "M12 22C3 15 1 11.500 1 8a5.500 5.500 0 0 1 11-1.500A5.500 5.500 0 0 1 23 8c0 3.500-2 7-11 14z"],
    ["#b4ecf0", "M4 8a2.500 2.500 0 0 1 2.500-2.500V7A1.200 1.200 0 0 0 5.300 8.200z"],
  ],
  "💗": [
    ["#ef86b4", "M12 22C3 15 1 11.500 1 8a5.500 5.500 0 0 1 11-1.500A5.500 5.500 0 0 1 23 8c0 3.500-2 7-11 14z"],
    ["#fbd3e3", "M4 8a2.500 2.500 0 0 1 2.500-2.500V7A1.200 1.200 0 0 0 5.300 8.200z"],
  ],
  "🔷": [
    ["#3b82e0", "M12 1l11 11-11 11L1 12z"],
    ["#0005", "M12 1l11 11-11 11L1 12zm0 3l-8 8 8 8 8-8z"],
  ],
  "🔶": [
    ["#f08c2e", "M12 1l11 11-11 11L1 12z"],
    ["#0005", "M12 1l11 11-11 11L1 12zm0 3l-8 8 8 8 8-8z"],
  ],
  "⭐": [
    ["#7a5a00", STAR],
    ["#f7cf3d", STAR_FACE],
  ],
  "🌲": [["#2f8f4e", "M12 2l10.5 19h-21z"]],
  "🌸": [
    [
      "#ef86b4",
      "M12 .600a4.5 4.5 0 0 1 4.3 5.800A4.5 4.5 0 1 1 18 14.600a4.5 4.5 0 1 1-6 4.500A4.5 4.5 0 1 1 6 14.600a4.5 4.5 0 1 1 1.7-8.200A4.5 4.5 0 0 1 12 .600z",
    ],
    ["#f7d154", "M12 8.100a3 3 0 1 0 0 6 3 3 0 1 0 0-6z"],
  ],
  "💡": [
    ["#6b4a00", "M12 1a8 8 0 0 0-4.500 14.600V19h9v-3.400A8 8 0 0 0 12 1z"],
    ["#f7d154", "M12 3a6 6 0 0 0-3 11.200V17h6v-2.800A6 6 0 0 0 12 3z"],
    ["#9aa3b2", "M7.500 19.500h9V22l-2 2h-5l-2-2z"],
  ],
  "🪨": [
    ["#8d8794", "M3 19l2-8 5-6 7 1 4 7 1 6z"],
    ["#b7b1be", "M5 11l5-6 3 5-4 4z"],
    ["#0003", "M13 10l8 3 1 6h-9z"],
  ],
  "📄": [
    ["#f7f4ef", "M5 1h10l5 5v17H5z"],
    ["#c9c1b4", "M15 1l5 5h-5z"],
    ["#6f6a78", "M8 10h9v1.500H8zM8 13.500h9V15H8zM8 17h6v1.500H8z"],
  ],
  "✂": [
    ["#9aa3b2", "M4 2l9.5 12-2 2zM20 2l-9.5 12 2 2z"],
    [
      "#e5484d",
      "M7 14a4 4 0 1 0 0 8 4 4 0 1 0 0-8zm0 2.500a1.5 1.5 0 1 1 0 3 1.5 1.5 0 1 1 0-3zM17 14a4 4 0 1 0 0 8 4 4 0 1 0 0-8zm0 2.500a1.5 1.5 0 1 1 0 3 1.5 1.5 0 1 1 0-3z",
    ],
  ],
  "🧨": [
    ["#d8372f", "M5 14l8-8 5 5-8 8q-2 2-4 1t-2-3 1-3z"],
    ["#f2c531", "M8 11l5 5-1.5 1.5-5-5z"],
    ["#6b5a4a", "M15 8l4-4 1.5 1.5-4 4z"],
    ["#ffb547", "M20 1l.8 2.200L23 4l-2.2.8L20 7l-.8-2.200L17 4l2.2-.8z"],
  ],
  "⏮": corner("M3 4h3v16H3zM21 4v16L8 12z"),
  "⏭": corner("M18 4h3v16h-3zM3 4v16l13-8z"),
  "💥": [
    ["#e5484d", "M12 0l2.5 6L21 3l-2 6 5 3-5 3 2 6-6.5-3L12 24l-2.5-6L3 21l2-6-5-3 5-3-2-6 6.5 3z"],
    [
      "#f7d154",
      "M12 6l1.5 3.500L17 8l-1 3.5 3 1.5-3 1.500L17 18l-3.5-1.500L12 20l-1.5-3.500L7 18l1-3.500L5 13l3-1.500L7 8l3.5 1.500z",
    ],
  ],
  "✨": [
    [
      "#6b4a00",
      "M9 1l2.600 8L19 12l-7.400 3L9 23l-2.600-8L0 12l6.400-3zM19 0l1.400 3.600L24 5l-3.600 1.400L19 10l-1.400-3.600L14 5l3.600-1.400zM19 14l1.400 3.600L24 19l-3.600 1.400L19 24l-1.400-3.600L14 19l3.600-1.400z",
    ],
    [
      "#f9d64a",
      "M9 5l1.600 5.400L15 12l-4.400 1.600L9 19l-1.600-5.400L3 12l4.400-1.600zM19 2.800l.7 1.500 1.500.7-1.500.7-.7 1.500-.7-1.500-1.500-.7 1.500-.7zM19 16.800l.7 1.500 1.500.7-1.500.7-.7 1.500-.7-1.500-1.500-.7 1.500-.7z",
    ],
  ],
  "✅": [
    ["#3fae5a", BOX],
    ["#fff", "M6 12.500L8 10.500l3 3 6-7 2 2-8 9z"],
  ],
  "⚠": [
    ["#5a4300", "M12 .500l12 22.500H0z"],
    ["#f7cf3d", "M12 5l8.700 16H3.300z"],
    ["#2a2431", "M11 10h2v6h-2zM11 17.500h2v2h-2z"],
  ],
  "⚔": [
    ["#9aa3b2", "M2 2h3l11 11-2.500 2.500L2 5zM22 2h-3L8 13l2.500 2.500L22 5z"],
    [
      "#8a5a34",
      "M15 17l3-3 1.500 1.500-1 1L23 21l-2 2-4.500-4.500-1 1zM9 17l-3-3-1.500 1.500 1 1L1 21l2 2 4.500-4.500 1 1z",
    ],
  ],
  "🃏": [
    ["#f7f4ef", "M6 1h12q2 0 2 2v18q0 2-2 2H6q-2 0-2-2V3q0-2 2-2z"],
    ["#9a5bd6", "M12 5l3.5 7-3.5 7-3.5-7z"],
  ],
  "🌫": [["#a9b4c4", "M3 5h14v2.500H3zM6 10h15v2.500H6zM2 15h15v2.500H2zM8 20h12v2.500H8z"]],
  "🎁": [
    ["#d8372f", "M3 10h18v12H3z"],
    ["#b3262a", "M2 7h20v4H2z"],
    ["#f2c531", "M10.5 7h3v15h-3zM12 7Q5 7 6 3t6 4q5-8 6-4t-6 4z"],
  ],
  "🏆": [
    ["#8a5d00", "M2 4h5v2H4q0 4 4 5v2Q2 12 2 4zM22 4h-5v2h3q0 4-4 5v2q6-1 6-9z"],
    ["#f2c531", "M6 2h12v6q0 7-4.500 8.500V19H17v3H7v-3h3.500v-2.500Q6 15 6 8z"],
    ["#fff6", "M8 4h2.500v4q0 4 1.500 6-4-1.500-4-6z"],
  ],
  "🎉": [
    ["#f2c531", "M2 22L8 7l9 9z"],
    ["#c33f4d", "M5 14.500l4.500 4.500-3 1.200-2.700-2.700zM8 7l9 9-3 1.200-7.200-7.200z"],
    ["#3b82e0", "M14 2h3v3h-3zM20 12h3v3h-3z"],
    ["#9a5bd6", "M18 6l4-2 1 2-4 2zM10 2l2 4-2 1-2-4z"],
    ["#3fae5a", "M19 17h3v3h-3zM20 8.500h2.500V11H20z"],
  ],
  "🏁": [
    ["#6b5a4a", "M3 1h2v22H3z"],
    ["#f7f4ef", "M5 2h16v12H5z"],
    ["#2a2431", "M5 2h4v4H5zM13 2h4v4h-4zM9 6h4v4H9zM17 6h4v4h-4zM5 10h4v4H5zM13 10h4v4h-4z"],
  ],
  "🏰": [
    ["#a59cb0", "M2 9V4h3v2h2V4h3v5h4V4h3v2h2V4h3v18H2z"],
    ["#4a4154", "M9.5 22v-5a2.5 2.5 0 0 1 5 0v5zM5 11h2v4H5zM17 11h2v4h-2z"],
  ],
  "💎": [
    ["#54bdf0", "M6 3h12l5 6-11 13L1 9z"],
    ["#b9e6fb", "M6 3h6L8 9H1zM12 3l4 6-4 13z"],
  ],
  "🔒": [
    ["#8d8794", "M7 11V7a5 5 0 0 1 10 0v4h-2.500V7a2.5 2.5 0 0 0-5 0v4z"],
    ["#f2b53a", "M4 10h16v12H4z"],
    ["#4a3a10", "M11 14h2v5h-2z"],
  ],
  "🛠": [
    ["#8d97a6", "M2 5l3-3 3 3-1 2 14 13-2 2L6 8 4 8z"],
    ["#7a5230", "M3 20L13 10l2 2L5 22z"],
    ["#5d6675", "M12 7l5-5q5 1 5 6l-3-1-2 3-3-1z"],
  ],
  "🪞": [
    ["#b98a4a", "M12 0a8.5 10 0 1 0 0 20 8.5 10 0 1 0 0-20zM10.5 19h3v5h-3z"],
    ["#cfe6f5", "M12 2.500a6 7.5 0 1 0 0 15 6 7.5 0 1 0 0-15z"],
    ["#fff", "M9 6l2-2 1 1-4 4z"],
  ],
  "⏳": [
    ["#a06f45", "M5 1h14v3H5zM5 20h14v3H5z"],
    ["#cfe6f5", "M7 4h10q0 5-3.500 8 3.500 3 3.500 8H7q0-5 3.500-8Q7 9 7 4z"],
    ["#e59a1f", "M8.500 8h7q-1 2-3.500 4-2.500-2-3.500-4zM12 13.500q3 2.500 3.500 6.500h-7q.5-4 3.500-6.500z"],
  ],
  "📝": [
    ["#f7f4ef", "M3 2h14v20H3z"],
    ["#6f6a78", "M6 6h8v1.500H6zM6 10h8v1.500H6zM6 14h5v1.500H6z"],
    ["#f2b53a", "M20 5.500l3 3L14.500 17l-4 1 1-4z"],
    ["#5a4300", "M11.500 14l3 3-4 1z"],
  ],
  "🗓": [
    ["#f7f4ef", "M2 4h20v18H2z"],
    ["#d8372f", "M2 4h20v5H2z"],
    ["#8d8794", "M6 1.500h2.500V6H6zM15.500 1.500H18V6h-2.500z"],
    ["#6f6a78", "M5.500 11h3v3h-3zM10.500 11h3v3h-3zM15.500 11h3v3h-3zM5.500 16h3v3h-3zM10.500 16h3v3h-3z"],
  ],
  "🗳": [
    ["#f7f4ef", "M7 1h10v11H7z"],
    ["#2f8f4e", "M8.500 5.500L10 4l1.500 1.500L14 2.500 15.500 4l-4 4.500z"],
    ["#6f8fc4", "M2 10h20v12H2z"],
    ["#2a3a5a", "M5 10h14v2H5z"],
  ],
  "🔮": [
    ["#b98a4a", "M6.500 17h11l2 6h-15z"],
    ["#8a5bd0", "M12 1a9 9 0 1 0 0 18 9 9 0 1 0 0-18z"],
    ["#d9c2f7", "M8.500 4.500q-3.500 2-3.500 6l1.700.2q0-3 2.800-4.700z"],
  ],
  "👥": [
    ["#7f8ba3", "M16.500 4a4 4 0 1 0 0 8 4 4 0 1 0 0-8zM16.500 13q6.500 0 6.500 7h-7z"],
    ["#b7c3d9", "M8.500 3a4.500 4.500 0 1 0 0 9 4.500 4.500 0 1 0 0-9zM8.500 13q7.500 0 7.500 8H1q0-8 7.500-8z"],
  ],
  "👉": [["#f2b53a", "M2 9h8l4-3 2 1.500L14 10h8v3h-7v1.500h-1V16h-1v1.500h-1V19H6l-4-2z"]],
  "🥇": medal("#f2c531"),
  "🏅": medal("#f2c531"),
  "🥈": medal("#c3cad4"),
  "🥉": medal("#c98749"),
  "◢": corner("M21 3v18H3z"),
  "◣": corner("M3 3v18h18z"),
  "◤": corner("M3 21V3h18z"),
  "◥": corner("M3 3h18v18z"),
  "♥": corner("M12 22C3 15 1 11.500 1 8a5.500 5.500 0 0 1 11-1.500A5.500 5.500 0 0 1 23 8c0 3.500-2 7-11 14z"),
  "✹": corner(
    "M12 0.5L13.7 5.7L17.8 2L16.6 7.4L22 6.2L18.3 10.3L23.5 12L18.3 13.7L22 17.7L16.6 16.6L17.8 22L13.7 18.3L12 23.5L10.3 18.3L6.3 22L7.4 16.6L2 17.8L5.7 13.7L0.5 12L5.7 10.3L2 6.2L7.4 7.4L6.2 2L10.3 5.7z",
  ),
  "▮": corner("M7 2h10v20H7z"),
  "▯": corner("M7 2h10v20H7zM9 4v16h6V4z"),
};

// Text that stays on a sign's line: a word tied to it before it, stops after it.
const BEFORE = /(?:\S+\u00A0|\()?$/;
const AFTER = /^[,.;:!?)]*/;

const FOUND = new RegExp(`(${Object.keys(SIGNS).join("|")})\uFE0F?`, "u");

/** Return a text as nodes, with its signs drawn. */
export function signed(text) {
  const nodes = [];
  for (let rest = text; rest;) {
    const found = FOUND.exec(rest);
    if (!found) {
      nodes.push(rest);
      break;
    }
    const start = rest.slice(0, found.index).search(BEFORE);
    const end = found.index + found[0].length;
    const [after] = AFTER.exec(rest.slice(end));
    if (start) nodes.push(rest.slice(0, start));
    nodes.push(tied(rest.slice(start, found.index), sign(found[0], SIGNS[found[1]]), after));
    rest = rest.slice(end + after.length);
  }
  return nodes;
}

function tied(before, element, after) {
  return before || after ? make("span", { class: "tied" }, before, element, after) : element;
}

function sign(text, layers) {
  const paths = layers.map(([fill, d]) => draw("path", { d, fill, "fill-rule": "evenodd" }));
  const svg = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, ...paths);
  return make("span", { class: "sign" }, make("span", {}, text), svg);
}
