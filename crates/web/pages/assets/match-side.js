// Beside the board: seats with their clocks, actions, thoughts, the list of moves, facts;
// above it the tools for the whole match.

import { $, h, number, put, visible, memory } from "./dom.js";
import { address, post, query } from "./api.js";
import { copy, toast } from "./frame.js";
import { countedSubstitutes, goalOf, saidMoves, substitutes, verdict } from "./words.js";
import { linesOf, thoughts } from "./thoughts.js";

const playerOf = (match, role, index) => (Array.isArray(match.players) ? match.players[index] : match.players?.[role]) ?? "";

function seats(table) {
  const { match } = table;
  const step = table.book.get(table.at);
  return match.roles.map((role, index) => {
    const player = playerOf(match, role, index);
    const own = table.seats.get(role);
    const free = table.live && !own && match.waiting?.includes(role);
    const who = own ? (own.player === "tab" ? "this tab" : "you") : free ? "a free seat" : ["open", "human"].includes(player) ? "someone" : player;
    const goal = step?.terminal ? goalOf(step.goals, role, index) : !table.live && table.at === table.last ? goalOf(match.goals, role, index) : null;
    return h("li", { class: table.live && step?.turn?.includes(role) && table.at === table.last ? "seat turn" : "seat" },
      h("div", { class: "who" }, h("strong", {}, visible(role)), h("span", {}, visible(who))),
      free && h("button", { type: "button", onclick: () => table.take(role) }, "Take this seat"),
      goal !== null && goal !== undefined ? h("span", { class: "score", title: "score" }, String(goal)) : h("span", { class: "clock", data: { clock: role } }, clockText(role)));
  });
}

/** The current text of a clock, because seats are redrawn while it counts. */
const clockText = (role) => $(`[data-clock="${CSS.escape(role)}"]`)?.textContent ?? "";

function actions(table) {
  const present = table.at === table.last && table.live && table.people.length > 0;
  const can = table.match.casual && present && !table.hidden;
  return [
    can && h("button", { type: "button", disabled: table.last === 0, onclick: () => table.act("undo") }, "Take back"),
    can && h("button", { type: "button", disabled: table.waiting.length === 0, onclick: () => table.act("hint") }, "Hint"),
    table.live && table.people.length > 0 && h("button", { type: "button", class: "plain", onclick: () => confirm("Resign this match?") && table.act("resign") }, "Resign"),
  ];
}

function result(table) {
  if (table.live) return null;
  const { match } = table;
  const { kind, role } = match.ending ?? {};
  const text = kind === "forfeit" ? `${visible(role)} forfeited.` : kind === "dead-end" ? `${visible(role)} has no legal move.` : kind === "step-limit" ? "The step limit was reached." : match.state === "aborted" ? "This match was aborted." : verdict(match.goals, match.roles, table.people.map(({ role }) => role));
  return h("div", { class: "result" }, h("strong", {}, text), match.game && h("a", { class: "button", href: `/play?game=${encodeURIComponent(match.game)}` }, "Play again"));
}

/** Lines of the log by number, so that unchanged ones are not drawn again. */
const logged = new Map();

function drawLog(table, list) {
  const wanted = [];
  for (let number = 1; number <= table.last; number++) {
    const step = table.book.get(number);
    const said = step ? saidMoves(step, table.book.get(number - 1)?.turn) : "…";
    const why = substitutes(step);
    const text = `${said} ${why}`;
    if (logged.get(number)?.text !== text) {
      const mark = why && h("span", { class: "tag red", title: why }, "referee", h("span", { class: "unseen" }, `: ${why}`));
      const button = h("button", { type: "button", onclick: () => table.seek(number) }, h("span", { class: "step" }, `${number}.`), h("span", {}, said), mark);
      logged.set(number, { text, button, line: h("li", {}, button) });
    }
    const { button, line } = logged.get(number);
    if (number === table.at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    wanted.push(line);
  }
  if (!wanted.length) wanted.push(h("li", { class: "quiet small" }, "No moves have been made yet."));
  wanted.forEach((line, at) => list.children[at] !== line && list.insertBefore(line, list.children[at] ?? null));
  while (list.children.length > wanted.length) list.lastChild.remove();
}

/** Draws the facts, if they are shown. */
export function drawFacts(table) {
  const place = $("#facts");
  const facts = place.closest("details").open ? table.book.get(table.at)?.facts ?? [] : [];
  put(place, facts.map((fact) => h("li", {}, visible(fact))));
}

/** Draws everything beside the board. */
export function drawSide(table) {
  const step = table.book.get(table.at);
  drawHead(table);
  put($("#seats"), seats(table));
  put($("#actions"), actions(table));
  put($("#result"), result(table));
  const list = $("#log");
  const scrolled = list.scrollTop;
  drawLog(table, list);
  const current = list.querySelector("[aria-current]");
  list.scrollTop = current ? Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2) : scrolled;
  drawFacts(table);
  const seen = step?.percepts ?? [];
  $("#seen-card").hidden = seen.length === 0;
  $("#seen-title").textContent = table.seats.has(table.view) ? "What you saw" : `What ${visible(table.view)} saw`;
  put($("#seen"), seen.map((percept) => h("li", {}, visible(percept))));
  const lines = linesOf(table.book.values());
  const known = lines.length > 0;
  $("#thoughts-card").hidden = !table.thinking || !known;
  if (table.thinking && known) {
    const now = thoughts(step?.evaluation);
    put($("#thoughts"), now.length ? now : h("p", { class: "quiet small" }, "Nothing is known about this step."));
    $("#lines").show(lines, { last: table.last, at: table.at });
  }
}

/** Draws the tools above the board. They read the table when used, so they need not be redrawn. */
export function drawTools(table) {
  const { match } = table;
  const shared = () => {
    const view = match.views.includes("all") ? "" : table.seats.has(table.view) ? "" : table.view;
    return `${location.origin}/match/${encodeURIComponent(table.id)}${query({ step: table.at === table.last && table.live ? "" : table.at, view })}`;
  };
  const views = match.hidden && match.views.length > 1 && !table.playing
    ? h("label", { class: "row" }, h("span", {}, "View"), h("select", { "aria-label": "Whose eyes", onchange: (event) => table.look(event.target.value) },
      match.views.map((view) => h("option", { value: view, selected: view === table.view }, view === "all" ? "everything" : visible(view)))))
    : null;
  const reasons = h("label", { class: "check" }, h("input", { type: "checkbox", id: "thinking", checked: table.thinking, onchange: (event) => {
    table.thinking = event.target.checked;
    memory.set("thinking", table.thinking);
    drawSide(table);
  } }), "Reasoning");
  const styled = match.stylesheet && !table.playing && h("label", { class: "check" }, h("input", { type: "checkbox", id: "styled", checked: table.styled, onchange: (event) => {
    table.styled = event.target.checked;
    memory.set("styled", table.styled);
    table.draw();
  } }), "The game's own picture");
  const save = (name, where) => h("a", { class: "button", href: "#", download: "", onclick: (event) => (event.currentTarget.href = where()) }, name);
  const key = () => table.seats.get(table.view)?.key;
  put($("#tools"), views, styled, reasons,
    h("button", { type: "button", onclick: () => copy(shared(), "Link to this position copied.") }, "Copy link"),
    save("SVG", () => address(`${table.path}/steps/${table.at}.svg${query({ view: table.view, key: key() })}`)),
    h("a", { class: "button", href: address(`${table.path}/record`), download: `${table.id}.json` }, "Record"),
    table.live && table.people.length > 0 && h("button", { type: "button", class: "warn", onclick: async () => {
      if (!confirm("End this match for everybody?")) return;
      await post(`${table.path}/abort${query({ key: table.people[0].key })}`).catch((error) => toast(error.message));
    } }, "End match"));
}

/** Draws the conditions of the match, and how many moves its players did not make themselves. */
function drawHead(table) {
  const { match } = table;
  const grace = match.grace_ms ? `answers count until ${number(match.grace_ms / 1000)} s after the clock, because a player is on the network` : "";
  const terms = [match.casual && "casual", clocksText(match.clocks), grace].filter(Boolean).join(" · ");
  const said = countedSubstitutes(replacedOf(table));
  put($("#subtitle"), terms, said && h("strong", { class: "substitutes" }, ` ${said}`));
}

/** How many moves the referee made, by role: as the service counted them at the end, or as the known steps tell. */
function replacedOf(table) {
  if (!table.live) return table.match.replaced ?? {};
  const counts = {};
  for (const step of table.book.values()) for (const role of Object.keys(step.replaced ?? {})) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
}

function clocksText(clocks) {
  if (!clocks) return "";
  const [start, play] = Array.isArray(clocks) ? clocks : [clocks.start ?? clocks.start_clock, clocks.play ?? clocks.play_clock];
  return play ? `${play} s per move, ${start} s to get ready` : "";
}
