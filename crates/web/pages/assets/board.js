// <tafl-board>: a position drawn by the service, with moves by click, drag and keyboard if
// moves name cells. Sends "move" with the chosen move.

import { h, visible } from "./dom.js";
import { choose, narrow } from "./choices.js";
import { picture } from "./picture.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class TaflBoard extends HTMLElement {
  #choices = [];
  #path = [];
  #drag = null;
  #dropped = -1000;
  #cursor = null;
  /** The current picture, so that it is not drawn twice. */
  #text = null;
  #frame = h("div", { class: "board-frame" });
  #asking = h("div", { class: "board-ask", hidden: true });

  connectedCallback() {
    if (this.#frame.isConnected) return;
    this.append(this.#frame, this.#asking);
    this.#frame.addEventListener("click", (event) => this.#click(event));
    this.#frame.addEventListener("keydown", (event) => this.#key(event));
    this.#frame.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#frame.addEventListener("pointermove", (event) => this.#pull(event));
    this.#frame.addEventListener("pointerup", (event) => this.#drop(event));
    this.#frame.addEventListener("pointercancel", () => this.#release());
  }

  /** Shows a position; `changed` are the cells that differ from the previous one. */
  show(svg, { changed = [], choices = [] } = {}) {
    const focused = this.#frame.contains(document.activeElement) ? this.#cursor : null;
    const same = svg === this.#text;
    const drawn = same ? this.#frame.querySelector("svg") : picture(svg);
    if (!same) this.#frame.replaceChildren(drawn ?? h("p", { class: "quiet" }, "This position could not be drawn."));
    this.#text = drawn ? svg : null;
    this.#choices = choices.filter(({ cells }) => cells?.length);
    this.#path = [];
    const marked = new Set(changed);
    for (const cell of this.#cells()) cell.classList.toggle("changed", marked.has(cell.dataset.cell));
    this.#prepare(drawn);
    this.#mark();
    if (focused !== null) this.#focus(focused);
  }

  /** Shows a foreign picture as an image, which cannot be played on. */
  showImage(address, name) {
    const image = this.#frame.querySelector("img.foreign");
    this.#choices = [];
    this.#path = [];
    this.#text = null;
    this.#asking.hidden = true;
    if (image) Object.assign(image, { src: address, alt: name });
    else this.#frame.replaceChildren(h("img", { class: "foreign", src: address, alt: name, width: 600, height: 600 }));
  }

  /** Changes the choices but not the picture. */
  set choices(choices) {
    this.#choices = choices.filter(({ cells }) => cells?.length);
    this.#path = [];
    this.#prepare(this.#frame.querySelector("svg"));
    this.#mark();
  }

  #cells() {
    return [...this.#frame.querySelectorAll("[data-cell]")];
  }

  /** The element of each cell that can have the focus. */
  #stops() {
    const stops = new Map();
    // Counters can be chosen only if a move names them.
    const named = new Set(this.#choices.flatMap(({ cells }) => cells));
    for (const cell of this.#cells()) {
      if (cell.classList.contains("counter") && !named.has(cell.dataset.cell)) continue;
      if (!stops.has(cell.dataset.cell) || cell.classList.contains("cell")) stops.set(cell.dataset.cell, cell);
    }
    return stops;
  }

  #prepare(svg) {
    if (!svg) return;
    const live = this.#choices.length > 0;
    const stops = this.#stops();
    svg.setAttribute("role", live ? "group" : "img");
    svg.removeAttribute("tabindex");
    if (!svg.getAttribute("aria-label")) svg.setAttribute("aria-label", "The board");
    if (!stops.has(this.#cursor)) this.#cursor = stops.keys().next().value ?? null;
    for (const element of this.#cells()) {
      element.removeAttribute("tabindex");
      element.removeAttribute("role");
    }
    if (!live) return;
    for (const [id, element] of stops) {
      element.setAttribute("tabindex", id === this.#cursor ? "0" : "-1");
      element.setAttribute("role", "button");
      // An element with its own text is named by that and its title.
      if (element.querySelector("text")) element.removeAttribute("aria-label");
      else element.setAttribute("aria-label", this.#name(element));
    }
  }

  #name(element) {
    return visible(element.querySelector("title")?.textContent ?? element.dataset.cell);
  }

  #mark() {
    const { next } = narrow(this.#choices, this.#path);
    const last = this.#path[this.#path.length - 1];
    this.#frame.classList.toggle("choosing", this.#path.length > 0);
    for (const element of this.#cells()) {
      const id = element.dataset.cell;
      element.classList.toggle("can", next.has(id));
      element.classList.toggle("chosen", this.#path.includes(id));
      element.classList.toggle("last", id === last);
      if (element.getAttribute("role") === "button") {
        element.setAttribute("aria-disabled", String(!next.has(id)));
        element.setAttribute("aria-pressed", String(this.#path.includes(id)));
      }
    }
    this.#asking.hidden = true;
  }

  /** Handles the choice of a cell, by any means. */
  pick(id) {
    const done = choose(this.#choices, this.#path, id);
    this.#path = done.path;
    this.#mark();
    if (done.play) this.#play(done.play);
    else if (done.ask?.length) this.#ask(done.ask);
  }

  #play(choice) {
    this.dispatchEvent(new CustomEvent("move", { detail: choice, bubbles: true }));
  }

  #ask(several) {
    const button = (choice) => h("button", { type: "button", onclick: () => {
      this.#path = [];
      this.#mark();
      this.#play(choice);
    } }, visible(choice.label ?? choice.move));
    this.#asking.replaceChildren(h("span", { class: "label" }, "Which move?"), ...several.map(button));
    this.#asking.hidden = false;
  }

  /** The cell at a point; if there are several, the one that can be chosen. */
  #at({ clientX, clientY }) {
    const there = document.elementsFromPoint(clientX, clientY).map((element) => element.closest("[data-cell]"));
    const cells = there.filter((cell) => cell && this.#frame.contains(cell));
    const { next } = narrow(this.#choices, this.#path);
    return cells.find((cell) => next.has(cell.dataset.cell)) ?? cells[0];
  }

  #click(event) {
    const cell = this.#at(event) ?? event.target.closest?.("[data-cell]");
    // A click at the end of a drag is not a choice.
    if (!cell || !this.#choices.length || event.timeStamp - this.#dropped < 60) return;
    this.#cursor = cell.dataset.cell;
    this.pick(cell.dataset.cell);
  }

  #key(event) {
    if (event.key === "Escape" && this.#path.length) {
      this.#path = [];
      return this.#mark();
    }
    const here = event.target.closest?.("[data-cell]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(here.dataset.cell);
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const there = neighbour(this.#stops(), here, ARROWS[event.key]);
      if (there !== null) this.#focus(there);
    }
  }

  #focus(id) {
    const stops = this.#stops();
    const element = stops.get(id);
    if (!element) return;
    stops.get(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = id;
    if (element.getAttribute("role") === "button") {
      element.setAttribute("tabindex", "0");
      element.focus({ preventScroll: true });
    }
  }

  // Dragging is for mouse and pen; fingers tap, so that the page can scroll.
  #grab(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const id = event.target.closest?.("[data-cell]")?.dataset.cell;
    const { left } = narrow(this.#choices, id === undefined ? [] : [id]);
    if (id === undefined || !left.some(({ cells }) => cells.length > 1)) return;
    const piece = this.#cells().find((cell) => cell.dataset.cell === id && (cell.classList.contains("piece") || cell.classList.contains("card")));
    this.#drag = { id, piece, x: event.clientX, y: event.clientY, moved: false, pointer: event.pointerId };
  }

  #pull(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < 6) return;
    if (!drag.moved) {
      drag.moved = true;
      this.#frame.setPointerCapture(drag.pointer);
      this.#path = [];
      this.pick(drag.id);
      drag.piece?.classList.add("dragged");
      drag.before = drag.piece?.getAttribute("transform") ?? "";
    }
    const matrix = this.#frame.querySelector("svg").getScreenCTM();
    drag.piece?.setAttribute("transform", `translate(${dx / matrix.a} ${dy / matrix.d}) ${drag.before}`);
  }

  #drop(event) {
    const drag = this.#drag;
    if (!drag) return;
    this.#release();
    if (!drag.moved) return;
    this.#dropped = event.timeStamp;
    const under = this.#at(event);
    if (under && under.dataset.cell !== drag.id) this.pick(under.dataset.cell);
  }

  #release() {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.moved || !drag.piece) return;
    drag.piece.classList.remove("dragged");
    if (drag.before) drag.piece.setAttribute("transform", drag.before);
    else drag.piece.removeAttribute("transform");
  }
}

/** The next cell in a direction: the nearest one, where sideways distance counts double. */
function neighbour(stops, here, [dx, dy]) {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(here);
  let best = null;
  let distance = Infinity;
  for (const [id, element] of stops) {
    if (element === here) continue;
    const [cx, cy] = middle(element);
    const ahead = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (ahead <= 1 || aside > 2 * ahead) continue;
    if (ahead + 2 * aside < distance) [best, distance] = [id, ahead + 2 * aside];
  }
  return best;
}

customElements.define("tafl-board", TaflBoard);
