// The first page: the library with search and filters.

import { $, h, put, settled, visible } from "./dom.js";
import { get } from "./api.js";
import { problem } from "./frame.js";

const KINDS = [
  ["all", "All games", () => true],
  ["perfect", "Perfect information", ({ kind }) => !kind.hidden],
  ["hidden", "Hidden information", ({ kind }) => kind.hidden],
  ["simultaneous", "Simultaneous moves", ({ kind }) => kind.simultaneous],
  ["puzzle", "Puzzles", ({ kind }) => kind.puzzle],
  ["random", "With chance", ({ kind }) => kind.random],
  ["graph", "Graph grammars", ({ kind }) => kind.graph],
];

/** The number of cards that are drawn at once. */
const FIRST = 16;

let games = [];
let drawn = 0;
const here = new URLSearchParams(location.search);
/** The folder whose games are shown: all (null), the library (""), or an additional one. */
let folder = here.get("folder");
let kind = KINDS.some(([name]) => name === here.get("kind")) ? here.get("kind") : "all";

/** Fetches thumbnails when they are nearly visible, so that the first page loads quickly. */
const nearly = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    target.src = target.dataset.src;
    nearly.unobserve(target);
  }
}, { rootMargin: "120px" });

export function tags(game) {
  const people = game.roles.filter((role) => role !== "random").length;
  return [
    people === 1 ? "one role" : `${people} roles`,
    game.kind.hidden && "hidden information",
    game.kind.simultaneous && "simultaneous",
    game.kind.puzzle && "puzzle",
    game.kind.random && "chance",
    game.kind.graph && "graph grammar",
    game.folder && visible(game.folder),
  ].filter(Boolean);
}

function card(game) {
  const image = h("img", { alt: "", decoding: "async", width: 240, height: 160, data: { src: game.thumbnail }, onerror: () => image.replaceWith(h("span", { class: "quiet small" }, "no picture")) });
  nearly.observe(image);
  return h("li", { class: "game" },
    h("div", { class: "thumb" }, image),
    h("div", { class: "body" },
      h("h2", {}, h("a", { href: `/play?game=${encodeURIComponent(game.name)}` }, visible(game.title))),
      h("p", {}, visible(game.about)),
      h("div", { class: "tags" }, tags(game).map((tag) => h("span", { class: "tag" }, tag)))));
}

function shown() {
  const words = $("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = KINDS.find(([name]) => name === kind)[2];
  return games.filter((game) => {
    const text = `${game.name} ${game.title} ${game.about} ${game.roles.join(" ")}`.toLowerCase();
    return fits(game) && (folder === null || (game.folder ?? "") === folder) && words.every((word) => text.includes(word));
  });
}

function draw() {
  const found = shown();
  const mine = ++drawn;
  put($("#library"), found.slice(0, FIRST).map(card));
  // Draw the rest once the visible part is there.
  if (found.length > FIRST) setTimeout(() => mine === drawn && $("#library").append(...found.slice(FIRST).map(card)));
  $("#count").textContent = found.length === games.length ? `${games.length} games` : `${found.length} of ${games.length} games`;
  drawFolders();
  $("#none").hidden = found.length > 0;
  put($("#kinds"), KINDS.map(([name, title, fits]) => {
    const count = games.filter(fits).length;
    return count > 0 && h("button", { type: "button", class: "chip", "aria-pressed": String(name === kind), data: { kind: name }, onclick: () => {
      kind = name;
      remember();
      draw();
      $(`#kinds [data-kind="${name}"]`).focus();
    } }, title);
  }));
}

/** The folders that games come from, if not all come from the library. */
function drawFolders() {
  const labels = [...new Set(games.map((game) => game.folder ?? ""))];
  const chip = (value, title) => h("button", { type: "button", class: "chip", "aria-pressed": String(folder === value), data: { folder: value ?? "*" }, onclick: () => {
    folder = value;
    remember();
    draw();
    $(`#folders [data-folder="${CSS.escape(value ?? "*")}"]`).focus();
  } }, title);
  $("#folders").hidden = labels.length < 2;
  put($("#folders"), labels.length > 1 && [chip(null, "All folders"), labels.map((label) => chip(label, label ? visible(label) : "The library"))]);
}

function remember() {
  const values = new URLSearchParams();
  if (folder !== null) values.set("folder", folder);
  if ($("#search").value) values.set("search", $("#search").value);
  if (kind !== "all") values.set("kind", kind);
  history.replaceState(null, "", values.size ? `/?${values}` : "/");
}

$("#search").value = here.get("search") ?? "";
$("#search").addEventListener("input", settled(() => {
  remember();
  draw();
}, 80));
$("#finder").addEventListener("submit", (event) => event.preventDefault());

try {
  ({ games } = await get("/games"));
  draw();
  performance.mark("tafl-games");
} catch (error) {
  put($("#count"), "");
  $("#library").before(problem(error));
}
