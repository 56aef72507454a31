// Experiments: published figures beside ours, run from here with live progress.

import { $, h, put, number, visible } from "./dom.js";
import { address, get, post, query } from "./api.js";
import { problem, say } from "./frame.js";
import { counted, follow, inline, labPages, plots, reportTable, running, stateTag } from "./lab-parts.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const place = $("#place");
const asked = new URLSearchParams(location.search).get("variant");
let variant = asked === "quick" ? "quick" : "full";
let source = null;
/** Counts the requests for what the page shows; responses to older ones are dropped. */
let asks = 0;

// ---- the list

function verdictTag(verdict) {
  if (!verdict) return null;
  const { agree, differ, unclear, missing, as_expected: expected } = verdict;
  const published = agree + differ + unclear + missing > 0;
  const text = !published ? "nothing published" : [`${agree} agree`, differ && `${differ} differ`, unclear && `${unclear} cannot be told`, missing && `${missing} missing`].filter(Boolean).join(", ");
  return h("span", { class: `tag ${expected ? "good" : "red"}`, title: `published figures; ${expected ? "all" : "not all"} verdicts are as expected` }, text);
}

function overview({ folder, experiments }) {
  const link = (experiment, size) => h("td", {},
    h("a", { class: "button small", href: `/experiments/${encodeURIComponent(experiment.name)}?variant=${size}`, "aria-label": `${visible(experiment.title || experiment.name)}, ${size}` }, size),
    " ", verdictTag(experiment[size].verdict), (!experiment[size].verdict || running(experiment[size].state)) && [" ", stateTag(experiment[size].state)]);
  const line = (experiment) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: `/experiments/${encodeURIComponent(experiment.name)}` }, visible(experiment.title || experiment.name)), h("p", { class: "quiet small source" }, visible(experiment.source))),
    link(experiment, "quick"), link(experiment, "full"));
  const nothing = folder ? "The folder of experiments is empty. docs/experiments.md explains how to write one."
    : "This service has no experiments. Start it with --experiments FOLDER, or from a folder that has one called experiments.";
  put(place, labPages("experiments"),
    h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Experiments"), h("p", { class: "lead" }, "Published figures, and what we get when we play the same. The quick variant takes a minute or two."))),
    experiments.length === 0 ? h("div", { class: "empty" }, h("p", {}, nothing))
      : h("section", { class: "card", "aria-label": "Experiments" }, h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Experiments" }, h("table", { class: "experiments" },
        h("thead", {}, h("tr", {}, ["Experiment", "Quick", "Full"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, experiments.map(line))))));
}

// ---- one experiment

const path = `/experiments/${encodeURIComponent(name)}`;

/** The published figures beside ours, by table. */
function figures(list) {
  const tables = [...new Set(list.map(({ table }) => table))];
  const word = { agrees: "agrees", differs: "differs", unclear: "cannot be told", fitted: "fitted, no agreement", shown: "not published", missing: "missing" };
  const when = { before: "as foreseen", later: "expected later" };
  const tag = ({ verdict, expected, foreseen }) => h("span", { class: `tag ${verdict === "shown" ? "" : !expected ? "red" : ["differs", "unclear", "missing", "fitted"].includes(verdict) ? "gold" : "good"}` }, `${word[verdict] ?? visible(verdict)}${["differs", "missing"].includes(verdict) && expected ? `, ${when[foreseen] ?? "as expected"}` : ""}`);
  const chance = (p) => h("td", { class: "number" }, p == null ? "–" : p < 0.0001 ? "< 0.0001" : number(p, 4));
  const row = (figure) => h("tr", {},
    h("th", { scope: "row" }, visible(figure.label)), h("td", { class: "number" }, visible(figure.origin && figure.origin !== "published" && figure.verdict !== "shown" ? `${figure.origin}: ${figure.published}` : figure.published)), h("td", { class: "number" }, visible(figure.ours)),
    h("td", { class: "number" }, figure.matches ? number(figure.matches, 0) : "–"), chance(figure.raw_p), chance(figure.p), h("td", {}, tag(figure)));
  const why = (table) => [...new Set(list.filter((figure) => figure.table === table && figure.why && ["differs", "unclear"].includes(figure.verdict)).map((figure) => figure.why))];
  return tables.map((table) => [
    table && h("h3", {}, visible(table)),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Figures${table ? ` of ${visible(table)}` : ""}` }, h("table", { class: "figures" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Figure"), ["Published", "Ours", "Matches", "p", "Corrected p"].map((text) => h("th", { scope: "col", class: "number" }, text)), h("th", { scope: "col" }, "Verdict"))),
      h("tbody", {}, list.filter((figure) => figure.table === table).map(row)))),
    why(table).map((text) => h("p", { class: "quiet small" }, `Why: ${visible(text)}`)),
  ]);
}

/** The sections of the report. Text written about it comes first; what the page shows anyway is omitted. */
function sections(blocks) {
  const written = blocks.some(({ kind, level, text }) => kind === "heading" && level === 1 && text === "Figures");
  const found = [{ title: written ? "In words" : "Figures", blocks: [] }];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level <= 2) found.push({ title: block.text, blocks: [] });
    else found[found.length - 1].blocks.push(block);
  }
  return found.filter(({ title, blocks: inside }) => title !== "Figures" && inside.length > 0);
}

function section({ title, blocks }) {
  const parts = [];
  let heading = title;
  for (const block of blocks) {
    if (block.kind === "heading") parts.push(h("h3", {}, visible((heading = block.text))));
    else if (block.kind === "text") parts.push(h("p", { class: "small" }, inline(block.text)));
    else if (block.kind === "list") parts.push(h("ul", { class: "small" }, block.entries.map((entry) => h("li", {}, inline(entry)))));
    else if (block.kind === "table") parts.push(reportTable(block, heading));
    else if (block.kind === "plot") parts.push(h("div", { class: "plots" }, plots([block])));
  }
  return h("section", { class: "card report-part", "aria-label": visible(title) }, h("h2", {}, visible(title)), parts);
}

function partList(experiment) {
  const unit = { tournament: "matches", playouts: "random games", command: "a command", turns: "cost of turns" };
  const line = (part, at) => {
    const here = experiment.state === "running" && at === experiment.part;
    const done = here && part.kind === "tournament" ? experiment.done : part.done;
    return h("tr", {},
      h("th", { scope: "row" }, part.tournament ? h("a", { href: `/lab/${encodeURIComponent(part.tournament)}` }, visible(part.name)) : visible(part.name)),
      h("td", {}, visible(part.what), h("div", { class: "quiet small" }, unit[part.kind])),
      h("td", { class: "number" }, part.kind === "command" ? (part.done ? "done" : "–") : [number(done, 0), h("div", { class: "quiet small" }, `of ${number(part.total, 0)}`)]),
      h("td", {}, here ? stateTag("running") : part.done >= part.total ? stateTag("done") : part.done ? stateTag("stopped") : null));
  };
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "What is played" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Part", "What"].map((text) => h("th", { scope: "col" }, text)), h("th", { scope: "col", class: "number" }, "Played"), h("th", { scope: "col" }, "State"))),
    h("tbody", {}, experiment.parts.map(line))));
}

function progress(experiment) {
  if (experiment.state !== "running") return null;
  const part = experiment.parts[experiment.part];
  const known = experiment.total > 0;
  return [h("progress", { max: known ? experiment.total : undefined, value: known ? experiment.done : undefined, "aria-label": "Matches of this part" }),
    h("p", { class: "quiet small", role: "status" }, `Part ${experiment.part + 1} of ${experiment.parts.length}${part ? `, ${visible(part.name)}` : ""}${known ? `: ${counted(experiment.done, experiment.total, "matches")}` : " …"}`)];
}

function draw(experiment) {
  document.title = `${visible(experiment.title)} · tafl`;
  const act = async (event, what) => {
    event.target.disabled = true;
    try {
      await post(`${path}/${what}`, { variant });
      say(what === "run" ? "The experiment is running." : "The experiment has been stopped.");
      await show();
    } catch (error) {
      event.target.disabled = false;
      put($("#trouble"), problem(error));
    }
  };
  const live = running(experiment.state);
  const begin = { new: "Run it", stopped: "Resume", failed: "Try again", done: experiment.figures.length && !experiment.parts.some(({ done, total }) => done < total) ? null : "Run it" }[experiment.state];
  const choose = (size) => h("a", { class: "button", href: `${path}?variant=${size}`, "aria-current": size === variant ? "page" : undefined }, size);
  const files = experiment.report.length ? ["report.html", "report.md", "figures.json"] : experiment.figures.length ? ["figures.json"] : [];
  const all = sections(experiment.report);
  const notes = (all.find(({ title }) => title === "Verdict")?.blocks ?? []).filter(({ kind, text }) => kind === "text" && !text.startsWith("Why they differ")).slice(1);
  put(place, labPages("experiments"),
    h("div", { class: "heading" },
      h("div", {}, h("h1", {}, visible(experiment.title)), h("p", { class: "lead" }, visible(experiment.question || experiment.source))),
      h("div", { class: "row" }, h("div", { class: "row", role: "group", "aria-label": "How much is played" }, choose("quick"), choose("full")),
        begin && h("button", { type: "button", class: "main", onclick: (event) => act(event, "run") }, begin),
        live && h("button", { type: "button", class: "warn", onclick: (event) => act(event, "stop") }, "Stop"))),
    h("div", { id: "trouble" }, experiment.trouble && problem({ message: visible(experiment.trouble) })),
    h("p", { class: "row" }, stateTag(experiment.state), verdictTag(experiment.verdict), h("span", { class: "quiet small" }, `Published in: ${visible(experiment.source)}`)),
    h("div", { id: "progress" }, progress(experiment)),
    h("div", { class: "stack panel" },
      h("section", { class: "card stack", "aria-labelledby": "figures" }, h("h2", { id: "figures" }, "Published and ours"),
        experiment.figures.length ? figures(experiment.figures)
          : h("div", { class: "empty" }, h("p", {}, live ? "The first figures appear when a match has ended." : "Nothing has been played yet. Run the quick variant for a first impression, or the full one to repeat what was published.")),
        h("div", { class: "plots" }, plots((all.find(({ title }) => title === "Verdict")?.blocks ?? []).filter(({ kind }) => kind === "plot"))),
        notes.map(({ text }) => h("p", { class: "quiet small" }, inline(text))),
        files.length > 0 && h("p", { class: "row" }, files.map((file) => h("a", { class: "button", href: address(`${path}/${file}${query({ variant })}`), download: `${name}-${file}` }, file)))),
      h("section", { class: "card", "aria-labelledby": "parts" }, h("h2", { id: "parts" }, "What is played"), h("div", { id: "part-list" }, partList(experiment))),
      all.filter(({ title }) => title !== "Verdict").map(section)));
  return experiment;
}

async function show() {
  const mine = ++asks;
  const experiment = await get(`${path}${query({ variant })}`);
  if (mine !== asks) return;
  const before = document.activeElement?.closest("main") ? document.activeElement.textContent : null;
  draw(experiment);
  if (before) [...place.querySelectorAll("button, a")].find((element) => element.textContent === before)?.focus();
  if (!running(experiment.state) || source) return;
  source = follow(address(`${path}/events${query({ variant })}`), (news) => {
    if (news.state !== "running") {
      source = null;
      return;
    }
    Object.assign(experiment, { part: news.part, done: news.done, total: news.total });
    put($("#progress"), progress(experiment));
    put($("#part-list"), partList(experiment));
  }, async () => {
    const now = await get(`${path}${query({ variant })}`);
    Object.assign(experiment, now);
    draw(experiment);
  });
}

const list = async () => overview(await get("/experiments"));

put(place, labPages("experiments"), h("h1", {}, name ? visible(name) : "Experiments"), h("p", { class: "quiet" }, "Loading …"));
(name ? show() : list()).catch((error) => put(place, labPages("experiments"), h("h1", {}, "Experiments"), problem(error), h("p", {}, h("a", { href: "/experiments" }, "Go to the experiments"))));
