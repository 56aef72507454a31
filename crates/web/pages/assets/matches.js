// Running and past matches.

import { $, h, put, visible } from "./dom.js";
import { get } from "./api.js";
import { problem } from "./frame.js";
import { seatsOf } from "./seats.js";

const LIMIT = 100;

function when(started) {
  const time = new Date(started);
  return Number.isNaN(time.valueOf()) ? "" : time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** "red 100 · yellow 0", for goals by index or by role. */
export function score(goals, roles) {
  if (!goals) return "";
  const of = (role, index) => (Array.isArray(goals) ? goals[index] : goals[role]);
  return roles.map((role, index) => [role, of(role, index)]).filter(([, goal]) => goal !== undefined && goal !== null)
    .map(([role, goal]) => `${visible(role)} ${goal}`).join(" · ");
}

function line(match) {
  const players = match.roles.map((role, index) => `${visible(role)}: ${visible(match.players[index] ?? match.players[role] ?? "–")}`);
  const mine = Object.keys(seatsOf(match.id)).length > 0;
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: `/match/${encodeURIComponent(match.id)}` }, visible(match.title ?? match.game)), mine && [" ", h("span", { class: "tag gold" }, "yours")]),
    h("td", {}, players.join(", ")),
    h("td", { class: "number" }, String(match.steps)),
    h("td", {}, match.state === "live" ? h("span", { class: "tag live" }, "live") : match.state === "aborted" ? h("span", { class: "tag red" }, "aborted") : score(match.goals, match.roles)),
    h("td", { class: "quiet small" }, when(match.started)));
}

function table(matches, what) {
  if (!matches.length) return h("div", { class: "empty" }, h("p", {}, what));
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Matches" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Game", "Players"].map((text) => h("th", { scope: "col" }, text)), h("th", { scope: "col", class: "number" }, "Steps"), ["Result", "Started"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, matches.map(line))));
}

async function refresh() {
  try {
    const [live, done] = await Promise.all([get(`/matches?state=live&limit=${LIMIT}`), get(`/matches?state=done&limit=${LIMIT}`)]);
    put($("#live"), table(live.matches, "Nobody is playing at the moment."));
    put($("#done"), table(done.matches, "No matches have finished yet."));
  } catch (error) {
    put($("#live"), problem(error));
  }
}

await refresh();
setInterval(() => {
  // Do not redraw a list that has the keyboard focus.
  if (!document.hidden && !document.activeElement?.closest("#live, #done")) refresh();
}, 5000);
