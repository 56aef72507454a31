// A small line graph: values by step, one line for each role, and a marker at the current
// step. Clicking it sends "seek".

import { h, s, put, visible } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [400, 160, 32, 8, 10, 24];

class TaflLines extends HTMLElement {
  /** `lines` is [{name, points: [[step, value]]}]; values range from 0 to 100. */
  show(lines, { last = 1, at = 0 } = {}) {
    const given = lines.filter(({ points }) => points.length);
    this.hidden = given.length === 0;
    if (this.hidden) return;
    const end = Math.max(last, 1);
    const x = (step) => LEFT + (step / end) * (WIDTH - LEFT - RIGHT);
    const y = (value) => TOP + (1 - Math.min(Math.max(value, 0), 100) / 100) * (HEIGHT - TOP - BOTTOM);
    const path = (points) => points.map(([step, value], i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const said = given.map(({ name, points }) => `${visible(name)} ${Math.round(points[points.length - 1][1])}`).join(", ");
    const graph = s("svg", { class: "lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `The scores that players expected; most recently: ${said}.` },
      [0, 50, 100].map((value) => [
        s("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        s("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)),
      ]),
      ticks(end).map((step) => s("text", { class: "tick", x: x(step), y: HEIGHT - 6, "text-anchor": "middle" }, String(step))),
      s("line", { class: "here", x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM }),
      given.map(({ points }, i) => [
        s("path", { class: `line line-${i % 4}`, d: path(points) }),
        points.length === 1 && s("circle", { class: `dot line-${i % 4}`, cx: x(points[0][0]), cy: y(points[0][1]), r: 3.5 }),
      ]));
    graph.addEventListener("click", (event) => {
      const box = graph.getBoundingClientRect();
      const along = ((event.clientX - box.x) / box.width) * WIDTH;
      const step = Math.round(((along - LEFT) / (WIDTH - LEFT - RIGHT)) * end);
      this.dispatchEvent(new CustomEvent("seek", { detail: Math.min(Math.max(step, 0), end) }));
    });
    put(this, graph, h("ul", { class: "legend" }, given.map(({ name }, i) => h("li", { class: `line-${i % 4}` }, visible(name)))));
  }
}

function ticks(end) {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => end / size <= 8) ?? end;
  return Array.from({ length: Math.floor(end / every) + 1 }, (_, i) => i * every);
}

customElements.define("tafl-lines", TaflLines);
