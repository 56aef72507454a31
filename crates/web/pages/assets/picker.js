// <tafl-moves>: the moves as a searchable list. It offers the moves that the board cannot
// show, and makes everything accessible to screen readers.

import { h, put, visible } from "./dom.js";
import { matching } from "./choices.js";

const SHOWN = 120;

class TaflMoves extends HTMLElement {
  #choices = [];
  #field = h("input", { type: "search", placeholder: "Find a move", "aria-label": "Find a move", autocomplete: "off" });
  #list = h("div", { class: "moves" });

  connectedCallback() {
    if (this.#list.isConnected) return;
    this.append(this.#field, this.#list);
    this.#field.addEventListener("input", () => this.#draw());
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const found = matching(this.#choices, this.#field.value);
      if (found.length === 1) this.#play(found[0]);
    });
  }

  /** [{role, move, label, cells}]; `marks` maps moves to notes about them. */
  show(choices, { chosen = {}, marks = new Map() } = {}) {
    this.#choices = choices;
    this.chosen = chosen;
    this.marks = marks;
    this.#field.hidden = choices.length <= 8;
    this.#field.value = "";
    this.#draw();
  }

  #draw() {
    const found = matching(this.#choices, this.#field.value);
    const byRole = new Map();
    for (const choice of found.slice(0, SHOWN)) {
      if (!byRole.has(choice.role)) byRole.set(choice.role, []);
      byRole.get(choice.role).push(choice);
    }
    const groups = [...byRole].map(([role, choices]) =>
      h("div", { class: "move-group", role: "group", "aria-label": `Moves of ${visible(role)}` },
        byRole.size > 1 && h("h3", {}, visible(role)),
        h("ul", {}, choices.map((choice) => h("li", {}, this.#button(choice))))));
    put(this.#list, groups, found.length > SHOWN && h("p", { class: "quiet small" }, `${found.length - SHOWN} more: type part of a move.`),
      found.length === 0 && this.#choices.length > 0 && h("p", { class: "quiet" }, "No move matches."));
  }

  #button(choice) {
    const mark = this.marks.get(choice.move);
    const pressed = choice.role in this.chosen ? String(this.chosen[choice.role] === choice.move) : undefined;
    return h("button", { type: "button", class: "move", "aria-pressed": pressed, data: { move: choice.move }, title: visible(choice.move), onclick: () => this.#play(choice) },
      h("span", {}, visible(choice.label ?? choice.move)), mark && h("span", { class: "tag gold" }, mark));
  }

  #play(choice) {
    this.dispatchEvent(new CustomEvent("move", { detail: choice, bubbles: true }));
  }
}

customElements.define("tafl-moves", TaflMoves);
