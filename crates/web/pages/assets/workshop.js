// The workshop: rules on one side, the game they define on the other.

import { $, h, put, memory, number, settled, visible } from "./dom.js";
import { get, post } from "./api.js";
import { problem, tabs, toast } from "./frame.js";
import { Branches } from "./branches.js";
import { pretty } from "./words.js";
import "./board.js";
import "./editor.js";
import "./picker.js";

const EXAMPLE = `; Players take one or two sticks in turn; whoever takes the last one wins.

(role first)
(role second)

(init (sticks 7))
(init (control first))

(less 1 0) (less 2 1) (less 3 2) (less 4 3)
(less 5 4) (less 6 5) (less 7 6)

(<= (minus ?n 1 ?m)
    (less ?n ?m))
(<= (minus ?n 2 ?m)
    (less ?n ?k)
    (less ?k ?m))

(<= (legal ?player (take ?count))
    (true (control ?player))
    (true (sticks ?n))
    (minus ?n ?count ?m))
(<= (legal first noop)
    (true (control second)))
(<= (legal second noop)
    (true (control first)))

(<= (next (sticks ?m))
    (does ?player (take ?count))
    (true (sticks ?n))
    (minus ?n ?count ?m))
(<= (next (control second))
    (true (control first)))
(<= (next (control first))
    (true (control second)))

(<= terminal
    (true (sticks 0)))

; The player whose turn it would be has lost.
(<= (goal first 100)
    (true (control second)))
(<= (goal first 0)
    (true (control first)))
(<= (goal second 100)
    (true (control first)))
(<= (goal second 0)
    (true (control second)))
`;

const editor = $("#editor");
const sheet = () => ({ text: editor.text, language: $("#language").value });
let branches = new Branches();
let roles = [];
let step = null;
let chosen = {};
let checks = 0;

// ---- checking as you type

async function check() {
  const mine = ++checks;
  memory.set("draft", sheet());
  try {
    const found = await post("/workshop/check", sheet());
    if (mine !== checks) return;
    put($("#trouble"));
    editor.findings = found.diagnostics;
    roles = found.roles ?? [];
    show(found);
    $("#play").disabled = !found.ok;
    if (found.ok) await position();
    else put($("#turn"), h("span", { class: "quiet" }, "The position shown is from the last valid version of the rules."));
  } catch (error) {
    put($("#trouble"), problem(error));
  }
}

function show({ diagnostics, ok }) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const others = diagnostics.length - errors;
  const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const text = errors ? `${count(errors, "error")}${others ? ` and ${count(others, "warning")}` : ""}` : others ? `It plays, with ${count(others, "warning")}.` : "The rules are valid.";
  put($("#verdict"), h("span", { class: `tag ${ok ? "live" : "red"}` }, ok ? "plays" : "does not play"), ` ${text}`);
  put($("#findings"), diagnostics.slice(0, 100).map((diagnostic, index) =>
    h("li", {}, h("button", { type: "button", onclick: () => editor.go(index) },
      h("span", { class: "where" }, `${diagnostic.start.line}:${diagnostic.start.column}`),
      h("span", {}, visible(diagnostic.message), diagnostic.help && h("span", { class: "help" }, visible(diagnostic.help)))))));
}

// ---- the position

async function position() {
  try {
    const answer = await post("/workshop/position", { ...sheet(), moves: branches.line() });
    step = answer.step;
  } catch (error) {
    if (branches.here !== branches.root) {
      // The line that was tried is not legal under the current rules.
      branches = new Branches();
      return position();
    }
    return put($("#turn"), problem(error));
  }
  const legal = step.legal ?? {};
  roles = roles.length ? roles : Object.keys(legal);
  chosen = {};
  for (const role of roles) if (legal[role]?.length === 1) chosen[role] = legal[role][0].move;
  drawPosition();
}

/** All moves that can be chosen, by role; roles without a choice are omitted. */
function choices() {
  return step.terminal ? [] : roles.flatMap((role) => {
    const moves = step.legal?.[role] ?? [];
    return moves.length > 1 || roles.every((other) => (step.legal?.[other]?.length ?? 0) <= 1)
      ? moves.map((choice) => ({ ...choice, role, label: pretty(choice.label ?? choice.move) })) : [];
  });
}

function drawPosition() {
  const possible = choices();
  const deciding = new Set(possible.map(({ role }) => role));
  $("#board").show(step.board, { changed: step.changed, choices: possible });
  $("#moves").show(possible, { chosen: deciding.size > 1 ? chosen : {} });
  const goals = Object.entries(step.goals ?? {}).map(([role, goal]) => `${visible(role)} ${goal}`).join(" · ");
  put($("#turn"), h("span", { class: "turn-text" }, step.terminal ? "The game is over" : `Step ${branches.line().length}`),
    step.terminal ? h("span", { class: "tag gold" }, goals || "no goal") : h("span", { class: "quiet small" }, `${[...deciding].map(visible).join(" and ")} to move`));
  $("#choose-hint").textContent = step.terminal ? "There are none: the game is over." : deciding.size > 1 ? "Choose a move for each role, then make the step." : "Choose a move here or on the board.";
  const ready = roles.every((role) => role in chosen) && !step.terminal;
  $("#step").disabled = !ready;
  $("#step").hidden = deciding.size < 2;
  $("#undo").disabled = $("#restart").disabled = branches.here === branches.root;
  $("#chance").disabled = step.terminal;
  put($("#branches"), branches.draw((node) => {
    branches.here = node;
    position();
  }));
  put($("#facts"), (step.facts ?? []).map((fact) => h("li", {}, visible(fact))));
}

function pick({ role, move }) {
  chosen[role] = move;
  const open = new Set(choices().map((choice) => choice.role));
  if (open.size <= 1 && roles.every((other) => other in chosen)) return advance();
  drawPosition();
}

async function advance() {
  branches.step(roles.map((role) => chosen[role]));
  await position();
}

async function chance() {
  for (const role of roles) {
    const moves = step.legal?.[role] ?? [];
    if (!moves.length) return toast(`${visible(role)} has no legal move here.`);
    chosen[role] = moves[Math.floor(Math.random() * moves.length)].move;
  }
  await advance();
}

// ---- playouts, profile

async function playouts() {
  const place = $("#playout-result");
  put(place, h("p", { class: "quiet" }, "Playing …"));
  try {
    const found = await post("/workshop/playouts", { ...sheet(), moves: branches.line(), playouts: Number($("#playouts").value), seed: Number($("#seed").value) });
    const row = ([role, { mean, low, high }]) => h("tr", {}, h("th", { scope: "row" }, visible(role)), h("td", { class: "number" }, number(mean)), h("td", { class: "number quiet" }, `${number(low)} to ${number(high)}`),
      h("td", {}, h("progress", { class: "share-bar", max: 100, value: mean, "aria-label": `Mean goal of ${visible(role)}` })));
    put(place, h("div", { class: "card stack" },
      h("p", {}, `${number(found.playouts, 0)} playouts, ${number(found.mean_length)} steps on average.`),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Role"), h("th", { scope: "col", class: "number" }, "Mean goal"), h("th", { scope: "col", class: "number" }, "95 % interval"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "As a bar")))),
        h("tbody", {}, Object.entries(found.goals ?? {}).map(row)))),
      found.ends && h("dl", { class: "facts" }, Object.entries(found.ends).map(([end, count]) => [h("dt", {}, visible(end.replaceAll("_", " "))), h("dd", {}, number(count, 0))]))));
  } catch (error) {
    put(place, problem(error));
  }
}

async function profile() {
  const place = $("#profile-result");
  put(place, h("p", { class: "quiet" }, "Measuring …"));
  try {
    const { rules } = await post("/workshop/profile", sheet());
    const row = ({ line, text, share, instances, gates, advice }) => h("tr", {},
      h("td", { class: "number" }, h("button", { type: "button", class: "plain line", "aria-label": `To line ${line}`, onclick: () => editor.goLine(line) }, String(line))),
      h("td", {}, h("code", {}, visible(String(text).split("\n")[0].slice(0, 60))), advice && h("div", { class: "quiet small" }, visible(advice))),
      h("td", { class: "number" }, `${number(share * 100)} %`), h("td", { class: "number" }, number(instances, 0)), h("td", { class: "number" }, number(gates, 0)));
    put(place, rules.length ? h("div", { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Profile" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Line"), h("th", { scope: "col" }, "Rule"), ["Share", "Instances", "Gates"].map((text) => h("th", { scope: "col", class: "number" }, text)))), h("tbody", {}, rules.map(row)))) : h("p", {}, "There is nothing to measure."));
  } catch (error) {
    put(place, problem(error));
  }
}

// ---- the sheet itself

async function open(name) {
  const game = await get(`/games/${encodeURIComponent(name)}`);
  branches = new Branches();
  $("#language").value = game.language;
  editor.language = game.language;
  editor.text = game.sheet;
  await check();
}

async function convert() {
  const to = $("#language").value;
  const from = to === "kif" ? "hrf" : "kif";
  try {
    const { text } = await post("/workshop/convert", { text: editor.text, from, to });
    editor.language = to;
    editor.text = text;
    await check();
  } catch (error) {
    $("#language").value = from;
    put($("#trouble"), problem(error));
  }
}

editor.addEventListener("edit", settled(check, 180));
$("#language").addEventListener("change", convert);
$("#begin").addEventListener("change", (event) => event.target.value && open(event.target.value).catch((error) => put($("#trouble"), problem(error))));
$("#board").addEventListener("move", (event) => pick(event.detail));
$("#moves").addEventListener("move", (event) => pick(event.detail));
$("#step").addEventListener("click", advance);
$("#chance").addEventListener("click", chance);
$("#undo").addEventListener("click", () => {
  branches.back();
  position();
});
$("#restart").addEventListener("click", () => {
  branches.here = branches.root;
  position();
});
$("#run-playouts").addEventListener("click", playouts);
$("#run-profile").addEventListener("click", profile);
$("#play").addEventListener("click", () => {
  memory.set("draft", sheet());
  location.assign("/play?sheet=draft");
});
tabs($("#tabs"), "workshop");

get("/games").then(({ games }) => {
  $("#begin").append(...games.filter(({ kind }) => !kind.graph).map(({ name, title }) => h("option", { value: name }, visible(title))));
}).catch(() => null);

const wanted = new URLSearchParams(location.search).get("game");
if (wanted) {
  await open(wanted).catch((error) => put($("#trouble"), problem(error)));
} else {
  const draft = memory.get("draft", { text: EXAMPLE, language: "kif" });
  $("#language").value = draft.language;
  editor.language = draft.language;
  editor.text = draft.text;
  await check();
}
