// One match: played, watched or replayed, all on one page.
//
// Steps are stored by view (a role, or "all"). Each seat that this browser owns has its own
// socket; without one, the match is watched as a stream.

import { $, h, put, visible, memory } from "./dom.js";
import { address, get, post, query } from "./api.js";
import { copy, problem, say, toast } from "./frame.js";
import { keep, seatsOf } from "./seats.js";
import { sit, watch } from "./link.js";
import { tabMove } from "./tab.js";
import { pretty, saidMoves, substitutes } from "./words.js";
import { Clocks } from "./clocks.js";
import { drawFacts, drawSide, drawTools } from "./match-side.js";
import "./board.js";
import "./picker.js";
import "./timeline.js";
import "./lines.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/matches/${encodeURIComponent(id)}`;

/** Everything the page knows. */
const table = {
  id, path,
  match: null,
  view: null,
  at: 0,
  last: 0,
  seats: new Map(),
  books: new Map(),
  hints: new Map(),
  /** The number of the last step received, by view. */
  heard: new Map(),
  link: null,
  /** The known steps of the current view. */
  get book() {
    if (!this.books.has(this.view)) this.books.set(this.view, new Map());
    return this.books.get(this.view);
  },
  get live() {
    return this.match?.state === "live";
  },
  get own() {
    return [...this.seats.keys()];
  },
  get people() {
    return [...this.seats.values()].filter(({ player }) => player !== "tab");
  },
  /** Whether seats see different things during the match. */
  get hidden() {
    return this.live && this.match.hidden;
  },
  /** Whether someone plays in this browser; then the board must be one that can be played on. */
  get playing() {
    return this.live && this.people.length > 0;
  },
  /** Own seats that have to move now. */
  get waiting() {
    return this.live ? this.people.filter(({ role, step, answered }) => step && step.number === this.last && answered !== step.number && step.turn.includes(role) && !step.terminal) : [];
  },
  seek, look, take, act, draw,
};

const clocks = new Clocks((role, text, short) => {
  const clock = $(`[data-clock="${CSS.escape(role)}"]`);
  if (!clock) return;
  clock.textContent = text;
  clock.classList.toggle("short", short);
});

// ---- receiving

function arrived(step, view) {
  const begin = performance.now();
  if (!table.books.has(view)) table.books.set(view, new Map());
  const book = table.books.get(view);
  const following = table.at === table.last;
  // Within one connection, step numbers only increase unless moves were taken back.
  const back = step.number < (table.heard.get(view) ?? 0);
  table.heard.set(view, step.number);
  book.set(step.number, step);
  if (back) {
    // Forget the later steps.
    for (const seat of table.seats.values()) seat.answered = null;
    for (const known of table.books.values()) for (const number of known.keys()) if (number > step.number) known.delete(number);
  }
  table.last = back ? step.number : Math.max(table.last, step.number);
  table.hints.clear();
  clocks.stop();
  passOn();
  if (following || back) table.at = table.last;
  draw();
  announce(step, view);
  requestAnimationFrame(() => setTimeout(() => performance.measure("tafl-drawn", { start: begin, end: performance.now() })));
}

function announce(step, view) {
  if (view !== table.view || step.number === 0) return;
  const before = table.book.get(step.number - 1);
  const mine = table.waiting.map(({ role }) => visible(role));
  const made = substitutes(step);
  if (table.people.some(({ role }) => step.replaced?.[role])) toast(`${made}.`);
  say(`Step ${step.number}. ${saidMoves(step, before?.turn)}.${made && ` ${made}.`}${mine.length ? ` ${mine.join(" and ")} to move: that is you.` : ""}`);
}

async function ended(news) {
  clocks.stop();
  table.link?.close();
  try {
    table.match = await get(path);
  } catch {
    table.match = { ...table.match, ...news, state: news.state ?? "done" };
  }
  table.last = table.match.steps ?? table.last;
  table.at = Math.min(table.at, table.last);
  if (!table.view) [table.view, table.at] = [table.match.views[0], table.last];
  if (table.match.views.includes("all") && table.people.length !== 1) table.view = "all";
  const seen = table.book.get(table.at);
  if (!seen) await know(table.at).catch(() => null);
  // Some tools are only for running matches, others for finished ones.
  drawTools(table);
  draw();
  say(`The match is over. ${$("#result").textContent}`);
  fill();
}

function listeners(view) {
  return {
    step: (step) => arrived(step, view),
    clock: (clock) => clocks.set(clock),
    end: ended,
    up: () => $("#trouble").replaceChildren(),
    down: () => put($("#trouble"), h("div", { class: "note", role: "status" }, h("p", {}, "Connection lost. Reconnecting … A move that you make meanwhile is sent when it is back."))),
  };
}

function connect() {
  table.link?.close();
  table.link = null;
  for (const seat of table.seats.values()) {
    if (seat.link || !table.live) continue;
    seat.link = sit(id, seat.key, {
      ...listeners(seat.role),
      step: async (step) => {
        seat.step = step;
        arrived(step, seat.role);
        if (seat.player !== "tab" || !step.turn.includes(seat.role) || seat.answered === step.number) return;
        seat.answered = step.number;
        const move = await tabMove(step, seat.role);
        if (move) seat.link.send({ type: "move", step: step.number, move });
      },
      hint: ({ moves }) => {
        table.hints = new Map(moves.map(({ move, value }, index) => [move, value === null ? (index ? "" : "best") : String(Math.round(value))]));
        if (moves.length) toast(`The adviser would play ${pretty(moves[0].move)}.`);
        draw();
      },
      error: (message) => {
        seat.answered = null;
        toast(message);
        draw();
      },
    });
  }
  if (table.live && !table.seats.size && table.view) table.link = watch(id, table.view, undefined, listeners(table.view));
}

// ---- acting

/** Makes a move for an own seat. */
function move({ role, move: text }) {
  const seat = table.seats.get(role);
  if (!seat?.step || seat.answered === seat.step.number) return;
  seat.answered = seat.step.number;
  seat.link.send({ type: "move", step: seat.step.number, move: text });
  passOn();
  draw();
}

/** If several people share the screen in a game with hidden information, passes the view on behind a cover. */
function passOn() {
  if (!table.hidden || table.people.length < 2) return;
  const next = table.waiting[0]?.role;
  if (next === undefined || next === table.view) return;
  table.view = next;
  table.at = table.last;
  table.covered = next;
}

function act(type) {
  const seat = table.waiting[0] ?? table.people[0];
  if (seat?.link && !seat.link.send({ type })) toast("This cannot be sent before the connection is back.");
}

async function take(role) {
  try {
    const { key } = await post(`${path}/take`, { role });
    keep(id, role, key);
    table.seats.set(role, { role, key, player: "human" });
    table.view = role;
    table.match = await get(path);
    connect();
    draw();
  } catch (error) {
    toast(error.message);
  }
}

/** Shows the match in another view. */
async function look(view) {
  table.view = view;
  if (table.live && !table.seats.size) connect();
  await seek(Math.min(table.at, table.last));
  fill();
}

async function seek(number) {
  table.at = number;
  try {
    await know(number);
  } catch (error) {
    return put($("#trouble"), problem(error));
  }
  if (table.at === number) draw();
}

/** Returns a step of the current view; fetches it if necessary. */
async function know(number, view = table.view) {
  const book = table.book;
  if (book.has(number)) return book.get(number);
  const step = await get(`${path}/steps/${number}${query({ view, key: table.seats.get(view)?.key })}`);
  book.set(number, step);
  return step;
}

/** Fetches the missing steps, the latest first, for the log and the graph. */
async function fill() {
  const view = table.view;
  for (let number = table.last; view && number >= 0 && view === table.view; number--) {
    if (table.book.has(number)) continue;
    try {
      await know(number, view);
    } catch {
      return;
    }
    if (number % 16 === 0) drawSide(table);
  }
  if (view !== table.view) return;
  status();
  drawSide(table);
}

// ---- drawing

/** The moves that can be made in the position shown. */
function choices() {
  if (table.at !== table.last) return [];
  const waiting = table.hidden ? table.waiting.filter(({ role }) => role === table.view) : table.waiting;
  return waiting.flatMap(({ role, step }) => (step.legal?.[role] ?? []).map((choice) => ({ ...choice, role, label: pretty(choice.label ?? choice.move) })));
}

function status() {
  const step = table.book.get(table.at);
  const waiting = table.waiting;
  const text = () => {
    if (!table.view) return "Nothing is shown until this match is over: it has hidden information, and people are playing it.";
    if (table.match.waiting?.length) return `Waiting for someone to take ${table.match.waiting.map(visible).join(" and ")}`;
    if (!table.live) return table.at < table.last ? `After step ${table.at}` : "The last position";
    if (table.at < table.last) return `Looking back at step ${table.at}`;
    if (waiting.length) return table.people.length > 1 ? `${waiting.map(({ role }) => visible(role)).join(" and ")} to move` : "Your turn";
    const others = step?.turn?.filter((role) => !table.seats.has(role)) ?? [];
    if (others.length) return `${others.map(visible).join(" and ")} ${others.length > 1 ? "are" : "is"} thinking …`;
    return table.people.length ? "Waiting for the others …" : "Waiting for the next step …";
  };
  const free = table.live && table.match.waiting?.length > 0 && table.people.length > 0;
  const invite = free && h("button", { type: "button", class: "main", onclick: () => copy(`${location.origin}/match/${encodeURIComponent(id)}`, "Link copied. Send it to the other player.") }, "Copy invitation link");
  const came = step && table.at > 0 ? saidMoves(step, table.book.get(table.at - 1)?.turn) : "";
  const made = substitutes(step);
  put($("#status"), h("span", { class: "turn-text" }, text()), came && h("span", { class: "quiet small" }, came), made && h("span", { class: "tag red long" }, made), invite);
}

function cover() {
  const covered = table.covered !== undefined;
  $("#cover").hidden = !covered;
  $("#board").hidden = covered;
  if (!covered) return;
  const open = h("button", { class: "main", type: "button", onclick: () => {
    table.covered = undefined;
    draw();
  } }, `I am ${visible(table.covered)}`);
  put($("#cover"), h("div", { class: "cover" }, h("div", { class: "stack" }, h("h2", {}, `Over to ${visible(table.covered)}`), h("p", {}, "Nobody else should look at the screen."), open)));
}

function draw() {
  const step = table.book.get(table.at);
  const possible = table.covered === undefined ? choices() : [];
  cover();
  $("#board").hidden ||= !table.view;
  if (step && table.styled && !table.playing) $("#board").showImage(address(`${path}/steps/${table.at}.svg${query({ view: table.view, key: table.seats.get(table.view)?.key, look: "stylesheet" })}`), `${$("#title").textContent}, step ${table.at}`);
  else if (step) $("#board").show(step.board, { changed: step.changed, choices: possible });
  $("#timeline").show({ at: table.at, last: table.last, live: table.live });
  $("#moves-card").hidden = possible.length === 0;
  $("#moves").show(possible, { marks: table.hints });
  status();
  drawSide(table);
}

/** Polls the match while seats are open or nothing may be shown yet. */
async function ask() {
  if (!table.live || (table.view && !table.match.waiting?.length)) return;
  const before = JSON.stringify(table.match);
  table.match = await get(path).catch(() => table.match);
  if (!table.live) return ended({});
  if (JSON.stringify(table.match) !== before) draw();
  setTimeout(ask, 1500);
}

async function begin() {
  table.match = await get(path);
  const mine = seatsOf(id);
  for (const [role, seat] of Object.entries(mine)) table.seats.set(role, { role, ...seat });
  const asked = new URLSearchParams(location.search);
  const views = table.match.views;
  table.view = [asked.get("view"), table.people[0]?.role, "all", views[0]].find((view) => view && (views.includes(view) || table.seats.has(view))) ?? views[0];
  table.last = table.match.steps ?? 0;
  document.title = `${visible(table.match.title ?? table.match.game)} · tafl`;
  $("#title").textContent = visible(table.match.title ?? table.match.game);
  table.at = asked.has("step") ? Math.min(Number(asked.get("step")) || 0, table.last) : table.last;
  table.thinking = memory.get("thinking", table.people.length === 0);
  table.styled = table.match.stylesheet && memory.get("styled", true);
  drawTools(table);
  if (table.view && (!table.live || asked.has("step"))) await know(table.at);
  connect();
  draw();
  fill();
  setTimeout(ask, 1500);
}

for (const element of [$("#board"), $("#moves")]) element.addEventListener("move", (event) => move(event.detail));
for (const element of [$("#timeline"), $("#lines")]) element.addEventListener("seek", (event) => seek(event.detail));

$("#facts").closest("details").addEventListener("toggle", () => drawFacts(table));

begin().catch((error) => {
  $("#table").hidden = true;
  put($("#trouble"), problem(error));
});
