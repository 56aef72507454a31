// How every page looks: pictures in light, dark and on a phone, nothing wider
// than the screen, and nothing that keeps people out.

import assert from "node:assert/strict";
import { join } from "node:path";
import { axe, SHOTS } from "./table.mjs";

const SIZES = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
];

/** The pages, each with a sign that it is drawn. */
async function pages(table) {
  const roles = (await table.api("GET", "/games/hnefatafl_7")).roles;
  const tafl = (await table.api("POST", "/matches", { game: "hnefatafl_7", seats: roles.map((role) => ({ role, player: "mcts(playouts=60)" })), start_clock: 1, play_clock: 5, seed: 2, casual: true })).id;
  const four = (await table.api("POST", "/matches", { game: "connect_four", seats: [{ role: "red", player: "mcts(playouts=200)" }, { role: "yellow", player: "lookahead" }], start_clock: 1, play_clock: 5, seed: 5, casual: true })).id;
  const cards = (await table.api("POST", "/matches", { game: "goofspiel", seats: (await table.api("GET", "/games/goofspiel")).roles.filter((role) => role !== "random").map((role) => ({ role, player: "random" })), start_clock: 1, play_clock: 1, casual: true })).id;
  const marks = (await table.api("POST", "/matches", { game: "checkout:marks", seats: ["x", "o"].map((role) => ({ role, player: "random" })), start_clock: 1, play_clock: 1, seed: 4, casual: true })).id;
  const list = [
    ["games", "/", ".game img[src]"],
    ["play", "/play?game=hnefatafl_7", "#begin"],
    ["match-connect-four", `/match/${four}`, ".result"],
    ["match-hnefatafl", `/match/${tafl}?step=6`, "#board svg"],
    ["matches", "/matches", "table"],
    ["workshop", "/workshop?game=connect_four", "#verdict .tag"],
    ["lab", "/lab", "#spec"],
    ["experiments", "/experiments", "table.experiments"],
    ["experiment-quick", "/experiments/tic_tac_toe_random?variant=quick", "#parts"],
    ["experiment-kept", "/experiments/connect_four_players", "section[aria-labelledby=figures] table"],
    ["match-goofspiel", `/match/${cards}`, ".result"],
    ["match-stylesheet", `/match/${marks}`, "#board img.foreign"],
    ["help", "/help", "#version:not(:empty)"],
    ["missing", "/no-such-page", "h1"],
  ];
  const { tournaments } = await table.api("GET", "/tournaments").catch(() => ({ tournaments: [] }));
  if (tournaments?.length) list.push(["tournament", `/lab/${encodeURIComponent(tournaments[0].id)}`, "progress"]);
  return list;
}

export async function every_page_fits_and_keeps_nobody_out(table, tell) {
  const list = await pages(table);
  const found = [];
  for (const [name, path, sign] of list) {
    for (const [size, options] of SIZES) {
      const who = await table.person({ ...options, reducedMotion: "reduce" });
      await who.go(path);
      await who.page.waitForSelector(sign, { timeout: 60_000 });
      await who.page.waitForLoadState("networkidle").catch(() => null);
      const wider = await who.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) found.push(`${name}, ${size}: ${wider} px wider than the screen`);
      await who.page.screenshot({ path: join(SHOTS, `${name}-${size}.png`), fullPage: name !== "games" });
      found.push(...(await axe(who.page)).map((text) => `${name}, ${size}: ${text}`));
      found.push(...who.wrong.filter((text) => name !== "missing" || !text.includes("404")).map((text) => `${name}, ${size}: ${text}`));
      await who.context.close();
    }
  }
  tell(`${list.length} pages in three looks`);
  assert.deepEqual(found, []);
}

export async function the_switch_changes_the_colours_and_is_remembered(table) {
  const who = await table.person();
  await who.go("/help");
  const colour = () => who.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await who.page.click("[aria-label='Use dark colours']");
  const dark = await colour();
  assert.notEqual(dark, light);
  await who.go("/lab");
  assert.equal(await colour(), dark);
  await who.context.close();
}
