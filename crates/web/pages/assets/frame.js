// The frame of every page: the bar with its links and the theme switch, notifications,
// and announcements for screen readers.

import { $, h, s, memory } from "./dom.js";

const PAGES = [
  ["games", "/", "Games"],
  ["matches", "/matches", "Matches"],
  ["workshop", "/workshop", "Workshop"],
  ["lab", "/lab", "Lab"],
  ["help", "/help", "Help"],
];

class TaflBar extends HTMLElement {
  connectedCallback() {
    const here = this.getAttribute("page");
    const link = ([name, address, title]) =>
      h("li", {}, h("a", { href: address, "aria-current": name === here && "page" }, title));
    this.replaceChildren(
      h("header", { class: "bar" },
        h("a", { class: "brand", href: "/", "aria-label": "tafl, go to the games" }, mark(), h("span", { "aria-hidden": "true" }, "tafl")),
        h("nav", { "aria-label": "Pages" }, h("ul", {}, PAGES.map(link))),
        themeSwitch()));
  }
}
customElements.define("tafl-bar", TaflBar);

/** A board with a king and four of his men. */
function mark() {
  const man = (x, y) => s("circle", { cx: x, cy: y, r: 2.1, fill: "currentColor" });
  return s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 29, height: 29, rx: 5, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    man(16, 7), man(16, 25), man(7, 16), man(25, 16),
    s("path", { d: "M16 10.5 21.5 16 16 21.5 10.5 16z", fill: "currentColor" }));
}

function themeSwitch() {
  const root = document.documentElement;
  const dark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => (dark() ? "Use light colours" : "Use dark colours");
  const button = h("button", { class: "plain icon", type: "button", "aria-label": name(), title: name(), onclick: () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("tafl.theme", root.dataset.theme);
    } catch {
      // The choice applies to this page only.
    }
    button.setAttribute("aria-label", name());
    button.title = name();
  } },
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("circle", { cx: 12, cy: 12, r: 8.5, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    s("path", { d: "M12 3.5a8.5 8.5 0 0 1 0 17z", fill: "currentColor" })));
  return button;
}

/** Shows a notification that disappears by itself. */
export function toast(text) {
  let place = $(".toasts");
  if (!place) document.body.append((place = h("div", { class: "toasts", role: "status" })));
  const note = h("div", { class: "toast" }, text);
  place.append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Announces something to screen readers. */
export function say(text) {
  let voice = $("#voice");
  if (!voice) document.body.append((voice = h("div", { id: "voice", class: "unseen", role: "log", "aria-live": "polite", "aria-label": "What happened" })));
  voice.append(h("p", {}, text));
  while (voice.childElementCount > 20) voice.firstChild.remove();
}

/** An error message for the page. */
export function problem(error) {
  if (error?.name === "AbortError") return null;
  return h("div", { class: "note bad", role: "alert" }, h("p", {}, error?.message ?? String(error)));
}

/** Copies text and shows a notification. */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    prompt("Copy this:", text);
  }
}

/** Sets up a list of tabs, and remembers which one is shown. */
export function tabs(list, name) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const panels = buttons.map((button) => document.getElementById(button.getAttribute("aria-controls")));
  const show = (chosen, focus) => {
    buttons.forEach((button, index) => {
      const here = button === chosen;
      button.setAttribute("aria-selected", String(here));
      button.tabIndex = here ? 0 : -1;
      panels[index].hidden = !here;
    });
    if (focus) chosen.focus();
    memory.set(`tab.${name}`, chosen.id);
    list.dispatchEvent(new CustomEvent("shown", { detail: chosen.id }));
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[role=tab]");
    if (button) show(button, false);
  });
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const at = buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    show(buttons[(at + way + buttons.length) % buttons.length], true);
  });
  show(buttons.find((button) => button.id === memory.get(`tab.${name}`)) ?? buttons[0], false);
  return (id) => show(buttons.find((button) => button.id === id) ?? buttons[0], false);
}
