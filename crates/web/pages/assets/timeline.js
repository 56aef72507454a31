// <tafl-timeline>: steps through a match: first, back, play, forward, last, or any step,
// at any speed. Sends "seek" with the number of the requested step.

import { h, s, put } from "./dom.js";

const SHAPES = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  on: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};
const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["3", "3×"], ["10", "10×"]];

class TaflTimeline extends HTMLElement {
  #at = 0;
  #last = 0;
  #live = false;
  #timer = 0;
  #buttons = {};
  #slider = h("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Step" });
  #where = h("output", {});
  #speed = h("select", { "aria-label": "Speed, in steps per second" }, SPEEDS.map(([value, text]) => h("option", { value, selected: value === "1" }, text)));
  #now = h("button", { type: "button", class: "chip", hidden: true }, "Back to the present");

  connectedCallback() {
    if (this.#slider.isConnected) return;
    const button = (name, title, act) => (this.#buttons[name] = h("button", { type: "button", class: "icon", title, "aria-label": title, onclick: act }, shape(name)));
    this.append(h("div", { class: "timeline" },
      h("div", { class: "steps", role: "group", "aria-label": "Step through the match" },
        button("first", "To the start", () => this.#seek(0)),
        button("back", "One step back", () => this.#seek(this.#at - 1)),
        button("play", "Play", () => this.#toggle()),
        button("on", "One step forward", () => this.#seek(this.#at + 1)),
        button("last", "To the end", () => this.#seek(this.#last))),
      h("div", { class: "slide row" }, h("div", { class: "grow" }, this.#slider), this.#where, this.#now),
      this.#speed));
    this.#slider.addEventListener("input", () => this.#seek(Number(this.#slider.value)));
    this.#now.addEventListener("click", () => this.#seek(this.#last));
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, [role=tablist]")) return;
      const to = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: this.#last }[event.key];
      if (to === undefined || event.target.closest("tafl-board [role=button]")) return;
      event.preventDefault();
      this.#seek(to);
    });
  }

  show({ at, last, live }) {
    [this.#at, this.#last, this.#live] = [at, last, live];
    this.#slider.max = String(last);
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", `step ${at} of ${last}`);
    this.#where.textContent = `step ${at} of ${last}`;
    this.#now.hidden = !(live && at < last);
    const set = (name, off) => (this.#buttons[name].disabled = off);
    set("first", at === 0);
    set("back", at === 0);
    set("on", at >= last);
    set("last", at >= last);
    set("play", last === 0 || (at >= last && live));
  }

  #seek(step, keep = false) {
    if (!keep) this.#stop();
    const to = Math.min(Math.max(step, 0), this.#last);
    if (to === this.#at) return;
    // The step may have to be fetched; the next key continues from it nevertheless.
    this.#at = to;
    this.dispatchEvent(new CustomEvent("seek", { detail: to }));
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.#at >= this.#last) this.#seek(0);
    this.#face("pause", "Pause");
    const tick = () => {
      if (this.#at >= this.#last) return this.#stop();
      this.#seek(this.#at + 1, true);
      this.#timer = setTimeout(tick, 1000 / Number(this.#speed.value));
    };
    this.#timer = setTimeout(tick, 300);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#face("play", "Play");
  }

  #face(name, title) {
    const button = this.#buttons.play;
    button.title = title;
    button.setAttribute("aria-label", title);
    put(button, shape(name));
  }
}

function shape(name) {
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", fill: "currentColor", stroke: "currentColor", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-linecap": "round" }, s("path", { d: SHAPES[name] }));
}

customElements.define("tafl-timeline", TaflTimeline);
