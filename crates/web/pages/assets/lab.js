// The lab: tournaments with live progress, standings and plots.

import { $, h, put, s, number, visible } from "./dom.js";
import { address, get, post } from "./api.js";
import { problem } from "./frame.js";
import { counted, follow, labPages, plots, running, stateTag } from "./lab-parts.js";

const EXAMPLE = `name = "first-try"
games = ["tic_tac_toe", "connect_four"]
players = ["mcts(playouts=200)", "lookahead", "random"]
matches = 10
seed = 1
`;

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const place = $("#place");

// ---- the list

function form() {
  const field = h("textarea", { id: "spec", rows: 9, spellcheck: "false", value: EXAMPLE });
  const trouble = h("div");
  const begin = async (event) => {
    event.preventDefault();
    try {
      const made = await post("/tournaments", { spec: field.value });
      location.assign(`/lab/${encodeURIComponent(made.id)}`);
    } catch (error) {
      put(trouble, problem(error));
    }
  };
  return h("form", { class: "card stack", onsubmit: begin },
    h("h2", {}, "New tournament"),
    h("p", { class: "quiet small" }, "Every player meets every other in every game and every role. Players with a counted budget, such as playouts, give the same results on any machine."),
    h("label", { class: "field", for: "spec" }, "What is played, and by whom", field),
    trouble,
    h("button", { class: "main" }, "Begin"));
}

function tournaments(list) {
  if (!list.length) return h("div", { class: "empty" }, h("p", {}, "No tournaments yet. The example on this page takes a few seconds."));
  const line = ({ id: name, name: title, state, done, total }) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: `/lab/${encodeURIComponent(name)}` }, visible(title ?? name))),
    h("td", {}, stateTag(state)),
    h("td", { class: "number" }, `${number(done, 0)} of ${number(total, 0)}`));
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "State"), h("th", { scope: "col", class: "number" }, "Matches"))), h("tbody", {}, list.map(line))));
}

async function overview() {
  const held = h("div");
  put(place, labPages("tournaments"),
    h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Lab"), h("p", { class: "lead" }, "Many matches, and what they say about who plays better."))),
    h("div", { class: "two" }, form(), h("section", { class: "card", "aria-labelledby": "held" }, h("h2", { id: "held" }, "Tournaments"), held)));
  const { tournaments: list } = await get("/tournaments");
  put(held, tournaments(list));
}

// ---- one tournament

/** A share as points out of 100, as everywhere else. */
const points = (share) => number(share === null || share === undefined ? share : 100 * share);

/** An interval as a bar with its estimate. */
function interval(low, mid, high, from, to) {
  const x = (value) => 4 + ((value - from) / Math.max(to - from, 1e-9)) * 136;
  return s("svg", { class: "interval", viewBox: "0 0 144 16", "aria-hidden": "true" },
    s("line", { class: "base", x1: 4, x2: 140, y1: 8, y2: 8 }),
    s("line", { class: "span", x1: x(low), x2: x(high), y1: 8, y2: 8 }),
    s("circle", { class: "mid", cx: x(mid), cy: 8, r: 4.5 }));
}

function standings(list) {
  if (!list?.length) return h("p", { class: "quiet" }, "No matches have finished yet.");
  const known = list.filter(({ rating_low: low, rating_high: high }) => Number.isFinite(low) && Number.isFinite(high));
  const from = Math.min(...known.map((line) => line.rating_low));
  const to = Math.max(...known.map((line) => line.rating_high));
  const line = (entry, index) => h("tr", {},
    h("td", { class: "number quiet" }, String(index + 1)),
    h("th", { scope: "row" }, visible(entry.player)),
    h("td", { class: "number" }, number(entry.games, 0)),
    h("td", { class: "number" }, points(entry.score), h("div", { class: "quiet small" }, `${points(entry.low)} to ${points(entry.high)}`)),
    h("td", { class: "number" }, number(entry.rating, 0)),
    h("td", {}, known.includes(entry) ? [interval(entry.rating_low, entry.rating, entry.rating_high, from, to), h("span", { class: "quiet small" }, `${number(entry.rating_low, 0)} to ${number(entry.rating_high, 0)}`)] : null));
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Standings" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), h("th", { scope: "col" }, "Player"), h("th", { scope: "col", class: "number" }, "Matches"), h("th", { scope: "col", class: "number" }, "Score"), h("th", { scope: "col", class: "number" }, "Rating"), h("th", { scope: "col" }, "95 % interval"))),
    h("tbody", {}, list.map(line))));
}

/** The scores of the players against each other. */
function pairings(list) {
  const names = [...new Set((list ?? []).map(({ player }) => player))];
  if (names.length < 2) return null;
  const of = (player, against) => list.find((pair) => pair.player === player && pair.against === against);
  const cell = (player, against) => {
    const pair = of(player, against);
    return h("td", { class: "number", title: pair && `${pair.games} matches, ${points(pair.low)} to ${points(pair.high)}` }, pair ? points(pair.score) : "");
  };
  return h("section", { class: "card", "aria-labelledby": "pairings" }, h("h2", { id: "pairings" }, "Against each other"),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Against each other" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), names.map((name) => h("th", { scope: "col", class: "number" }, visible(name))))),
      h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row" }, visible(name)), names.map((other) => cell(name, other))))))));
}

function matchList(list) {
  if (!list?.length) return h("p", { class: "quiet" }, "None yet.");
  const line = (match) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: `/match/${encodeURIComponent(match.id)}` }, visible(match.game ?? match.id))),
    h("td", {}, visible((match.players ?? []).join(" – "))),
    h("td", { class: "number" }, visible(Array.isArray(match.goals) ? match.goals.map((goal) => goal ?? "–").join(" – ") : Object.values(match.goals ?? {}).join(" – "))));
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Game"), h("th", { scope: "col" }, "Players"), h("th", { scope: "col", class: "number" }, "Goals"))), h("tbody", {}, list.slice(0, 200).map(line))));
}

function draw(tournament) {
  const path = `/tournaments/${encodeURIComponent(id)}`;
  document.title = `${visible(tournament.name ?? id)} · tafl`;
  const stop = h("button", { type: "button", class: "warn", onclick: () => post(`${path}/stop`).then(refresh).catch((error) => put($("#trouble"), problem(error))) }, "Stop");
  const on = h("button", { type: "button", class: "main", onclick: () => post(`${path}/resume`).then(one).catch((error) => put($("#trouble"), problem(error))) }, "Resume");
  const files = ["report.html", "report.md", "results.csv", "results.json"];
  put(place, labPages("tournaments"),
    h("div", { class: "heading" },
      h("div", {}, h("h1", {}, visible(tournament.name ?? id)), h("p", { class: "lead row" }, stateTag(tournament.state), h("span", { role: "status", id: "count" }, counted(tournament.done, tournament.total, "matches")))),
      h("div", { class: "row" }, running(tournament.state) && stop, tournament.state === "stopped" && on, files.map((file) => h("a", { class: "button", href: address(`${path}/${file}`), download: file.startsWith("results") ? `${id}-${file}` : undefined }, file)))),
    h("div", { id: "trouble" }),
    h("progress", { id: "bar", max: Math.max(tournament.total, 1), value: tournament.done, "aria-label": "Matches played" }),
    h("div", { class: "stack panel" },
      h("section", { class: "card", "aria-labelledby": "standings" }, h("h2", { id: "standings" }, "Standings"), standings(tournament.standings)),
      pairings(tournament.pairings),
      tournament.plots?.length > 0 && h("section", { class: "card", "aria-labelledby": "plots" }, h("h2", { id: "plots" }, "Plots"), h("div", { class: "plots" }, plots(tournament.plots))),
      h("section", { class: "card", "aria-labelledby": "matches" }, h("h2", { id: "matches" }, "Matches"), matchList(tournament.matches))));
}

async function refresh() {
  const tournament = await get(`/tournaments/${encodeURIComponent(id)}`);
  draw(tournament);
  return tournament;
}

async function one() {
  const tournament = await refresh();
  if (!running(tournament.state)) return;
  follow(address(`/tournaments/${encodeURIComponent(id)}/events`), ({ done, total }) => {
    if (!total) return;
    $("#count").textContent = counted(done, total, "matches");
    $("#bar").value = done;
  }, refresh);
}

(id ? one() : overview()).catch((error) => put(place, h("h1", {}, "Lab"), problem(error), h("p", {}, h("a", { href: "/lab" }, "Go to the lab"))));
