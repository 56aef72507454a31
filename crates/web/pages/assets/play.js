// Sets up a match: who plays which role, and with how much time.

import { $, h, number, put, visible, memory } from "./dom.js";
import { get, post } from "./api.js";
import { problem } from "./frame.js";
import { picture } from "./picture.js";
import { keep } from "./seats.js";

const OTHERS = [
  ["human", "You, in this browser"],
  ["open", "Someone else (they get a link)"],
  ["tab", "This tab (random moves, or a player you write)"],
  ["http", "A player at an address …"],
  ["spec", "A player with parameters …"],
];

const asked = new URLSearchParams(location.search);
const name = asked.get("game");
/** A sheet from the workshop, instead of a game of the library. */
const draft = asked.get("sheet") === "draft" ? memory.get("draft", null) : null;
if (!name && !draft) location.replace("/");

/** The form for one role: its name, who plays it, and further details. */
function seatForm(role, index, players, chosen, grace) {
  const own = players.map(({ usage }) => usage.replace(/[([].*$/, "").trim());
  const machine = [...new Set(own)].filter((spec) => spec && spec !== "human");
  const about = (spec) => players.find(({ usage }) => usage.startsWith(spec))?.about ?? "";
  const select = h("select", { id: `seat-${index}`, "aria-label": `Who plays ${visible(role)}` },
    h("optgroup", { label: "People and others" }, OTHERS.map(([value, text]) => h("option", { value }, text))),
    h("optgroup", { label: "Players of this program" }, machine.map((spec) => h("option", { value: `:${spec}` }, spec))));
  const field = h("input", { type: "text", hidden: true, "aria-label": `More about who plays ${visible(role)}`, spellcheck: "false" });
  const hint = h("p", { class: "quiet small" });
  const update = () => {
    const value = select.value;
    field.hidden = value !== "http" && value !== "spec";
    field.placeholder = value === "http" ? "http://host:9147" : "mcts(playouts=20000)";
    const wire = `It is asked whether it is there when the match begins. Its answers count until ${number(grace / 1000)} s after the clock, which must be whole seconds.`;
    hint.textContent = value.startsWith(":") ? about(value.slice(1)) : value === "http" ? wire : "";
    hint.hidden = !hint.textContent;
  };
  select.value = chosen === "human" || !machine.includes(chosen) ? "human" : `:${chosen}`;
  select.addEventListener("change", update);
  update();
  const form = h("fieldset", { class: "seat-form" }, h("legend", {}, visible(role)), select, field, hint);
  const player = () => (select.value.startsWith(":") ? select.value.slice(1) : field.hidden ? select.value : field.value.trim());
  return { form, role, player };
}

function clockFields() {
  const last = memory.get("clocks", { start: 3, play: 3 });
  const field = (id, text, value) => h("label", { class: "field" }, text, h("input", { id, type: "number", min: 1, max: 86400, value, required: true }));
  return [field("start-clock", "Seconds to get ready", last.start), field("play-clock", "Seconds for each move", last.play)];
}

function draw(game, players, grace) {
  document.title = `${visible(game.title)} · tafl`;
  const roles = game.roles.filter((role) => role !== "random");
  const seats = roles.map((role, index) => seatForm(role, index, players, index === 0 ? "human" : "auto", grace));
  const trouble = h("div");
  const swap = () => {
    const values = seats.map(({ form }) => [form.querySelector("select").value, form.querySelector("input").value]);
    values.unshift(values.pop());
    seats.forEach(({ form }, index) => {
      [form.querySelector("select").value, form.querySelector("input").value] = values[index];
      form.querySelector("select").dispatchEvent(new Event("change"));
    });
  };
  const begin = async (event) => {
    event.preventDefault();
    const button = $("#begin");
    button.disabled = true;
    put(trouble);
    try {
      const clocks = { start: Number($("#start-clock").value), play: Number($("#play-clock").value) };
      memory.set("clocks", clocks);
      const seed = $("#seed").value;
      const wanted = seats.map(({ role, player }) => ({ role, player: player() }));
      const made = await post("/matches", {
        ...(draft ? { sheet: draft } : { game: name }), seats: wanted, start_clock: clocks.start, play_clock: clocks.play, casual: $("#casual").checked,
        ...(seed === "" ? {} : { seed: Number(seed) }),
      });
      for (const { role, key } of made.seats ?? []) {
        if (key) keep(made.id, role, key, wanted.find((seat) => seat.role === role)?.player);
      }
      location.assign(`/match/${encodeURIComponent(made.id)}`);
    } catch (error) {
      put(trouble, problem(error));
      button.disabled = false;
    }
  };
  put($("#place"),
    h("div", { class: "setup" },
      h("form", { class: "stack", onsubmit: begin },
        h("div", {}, h("h1", {}, visible(game.title)), h("p", { class: "lead" }, visible(game.about))),
        h("div", { class: "row spread" }, h("h2", {}, "Who plays?"),
          seats.length > 1 && h("button", { type: "button", class: "plain", onclick: swap }, seats.length === 2 ? "Swap sides" : "Rotate")),
        seats.map(({ form }) => form),
        game.roles.length > roles.length && h("p", { class: "quiet small" }, "Chance is played by the referee."),
        h("h2", {}, "Settings"),
        h("div", { class: "pair" }, clockFields()),
        h("label", { class: "check" }, h("input", { type: "checkbox", id: "casual", checked: true }), "Casual: people have no clock, and can take moves back and ask for hints"),
        h("p", { class: "quiet small" }, "If a player does not answer in time, or not with a legal move, the referee makes a random move in its place. The match shows where."),
        h("details", {}, h("summary", {}, "More"), h("label", { class: "field" }, "Seed, to play the same match again", h("input", { id: "seed", type: "number", min: 0, placeholder: "random" }))),
        trouble,
        h("div", { class: "row" }, h("button", { class: "main", id: "begin" }, "Begin"), h("a", { class: "button", href: "/" }, "Another game"))),
      h("section", { class: "preview stack", "aria-label": "The game" },
        h("div", { class: "thumb" }, game.thumbnail ? h("img", { src: game.thumbnail, alt: `${visible(game.title)} at the start` }) : picture(game.board)),
        game.kind.hidden && h("p", { class: "note" }, "This game has hidden information: each seat sees only what the rules reveal to it."),
        game.sheet && h("details", {}, h("summary", {}, "The rules"), h("pre", { tabindex: 0, "aria-label": "The rules" }, visible(game.sheet).replaceAll("\u240a", "\n").replaceAll("\u2409", "\t"))),
        game.language !== "graph" && h("p", {}, h("a", { href: draft ? "/workshop" : `/workshop?game=${encodeURIComponent(name)}` }, draft ? "Back to the workshop" : "Open it in the workshop")))));
}

/** The same data that the library has about its games, for a sheet from the workshop. */
async function drafted() {
  const [{ roles }, { step }] = await Promise.all([post("/workshop/check", draft), post("/workshop/position", { ...draft, moves: [] })]);
  return { title: "Your own rules", about: "From the workshop.", roles, kind: {}, board: step.board, sheet: draft.text, language: draft.language };
}

try {
  const [game, { players }, { grace_ms: grace }] = await Promise.all([draft ? drafted() : get(`/games/${encodeURIComponent(name)}`), get("/players"), get("/config")]);
  draw(game, players, grace);
} catch (error) {
  put($("#place"), h("h1", {}, "Play"), problem(error), h("p", {}, h("a", { href: "/" }, "Go to the games")));
}
