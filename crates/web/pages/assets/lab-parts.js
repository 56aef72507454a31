// What the pages of tournaments and experiments have in common.

import { h, number, visible } from "./dom.js";
import { picture } from "./picture.js";

const PAGES = [["tournaments", "/lab", "Tournaments"], ["experiments", "/experiments", "Experiments"]];

/** Links to the pages of the lab, with the current one marked. */
export function labPages(here) {
  return h("nav", { class: "pages", "aria-label": "The lab's pages" }, PAGES.map(([name, address, title]) =>
    h("a", { href: address, "aria-current": name === here && "page" }, title)));
}

/** A state as a tag. */
export function stateTag(state) {
  const kind = { running: "live", live: "live", done: "good", stopped: "gold", failed: "red" }[state] ?? "";
  return h("span", { class: `tag ${kind}` }, visible({ new: "not run" }[state] ?? state));
}

export const running = (state) => state === "running" || state === "live" || state === "waiting";

/** Plots with captions. */
export function plots(list) {
  return (list ?? []).map(({ title, svg }) => {
    const drawn = picture(svg);
    if (!drawn) return null;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", visible(title));
    return h("figure", { class: "plot" }, drawn, h("figcaption", {}, visible(title)));
  });
}

/** The subset of Markdown that reports use: `code` and **strong**. */
export function inline(text) {
  return visible(text).split("`").map((part, at) => at % 2 ? h("code", {}, part)
    : part.split("**").map((piece, at) => (at % 2 ? h("strong", {}, piece) : piece)));
}

/** A table of a report; `words` are the columns that contain words. */
export function reportTable({ head, rows, words }, name) {
  const is = (at) => (at === 0 || words.includes(at) ? undefined : "number");
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": visible(name) }, h("table", { class: "report" },
    h("thead", {}, h("tr", {}, head.map((text, at) => (text ? h("th", { scope: "col", class: is(at) }, inline(text)) : h("td", {}))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text, at) => (at ? h("td", { class: is(at) }, inline(text)) : h("th", { scope: "row" }, inline(text)))))))));
}

/** "12 of 40 matches". */
export const counted = (done, total, what) => `${number(done, 0)} of ${number(total, 0)} ${what}`;

/** Follows a stream of progress; calls `draw` for each event, and `refresh` now and then and at the end. */
export function follow(address, draw, refresh) {
  const source = new EventSource(address);
  let due = false;
  source.addEventListener("progress", (event) => {
    const news = JSON.parse(event.data);
    draw(news);
    const over = news.state !== "running";
    if (over) source.close();
    if (due && !over) return;
    due = true;
    // However fast matches end, only a fraction of the time is spent on drawing.
    setTimeout(async () => {
      const begin = performance.now();
      await refresh().catch(() => null);
      setTimeout(() => (due = false), 4 * (performance.now() - begin));
    }, over ? 0 : 500);
  });
  return source;
}
