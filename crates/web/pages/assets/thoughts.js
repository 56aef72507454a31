// What the players thought: value, visits and the line of play they expect.

import { h, number, visible } from "./dom.js";
import { pretty } from "./words.js";

/** The thoughts behind the moves of one step. */
export function thoughts(evaluation) {
  return Object.entries(evaluation ?? {}).map(([role, { value, visits, line }]) =>
    h("div", { class: "thought" },
      h("div", { class: "row spread" }, h("strong", {}, visible(role)),
        h("span", {}, value !== null && value !== undefined && `expects ${number(value)}`, visits ? h("span", { class: "quiet small" }, ` · ${number(visits, 0)} visits`) : null)),
      value !== null && value !== undefined && h("progress", { max: 100, value, "aria-label": `What ${visible(role)} expects to score` }),
      line?.length > 0 && h("ol", { "aria-label": "Expected line" }, line.slice(0, 12).map((move) => h("li", {}, pretty(move))))));
}

/** Lines for the graph, from the steps that are known. */
export function linesOf(steps) {
  const lines = new Map();
  for (const step of [...steps].sort((a, b) => a.number - b.number)) {
    for (const [role, { value }] of Object.entries(step.evaluation ?? {})) {
      if (value === null || value === undefined) continue;
      if (!lines.has(role)) lines.set(role, []);
      lines.get(role).push([step.number, value]);
    }
  }
  return [...lines].map(([name, points]) => ({ name, points }));
}
