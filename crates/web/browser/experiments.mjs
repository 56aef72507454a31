// An experiment from the list to its report, and tournaments that go on.

import assert from "node:assert/strict";
import { axe } from "./table.mjs";

export async function an_experiment_is_run_and_its_report_shown(table, tell) {
  const who = await table.person();
  await who.go("/lab");
  await who.page.click("nav.pages >> text=Experiments");
  await who.page.waitForSelector("table.experiments");
  await who.page.click("table.experiments a[href='/experiments/tic_tac_toe_random?variant=quick']");
  await who.page.waitForSelector("button >> text=Run it", { timeout: 60_000 });
  assert.equal(await who.page.locator(".empty").count(), 1, "nothing was played, and the page says what to do");
  await who.page.click("button >> text=Run it");
  await who.page.waitForSelector("section[aria-labelledby=figures] table", { timeout: 120_000 });
  await who.page.waitForFunction(() => [...document.querySelectorAll(".tag")].some((tag) => tag.textContent === "done") && !document.querySelector("progress"), null, { timeout: 150_000 });
  const verdicts = await who.page.locator("section[aria-labelledby=figures] tbody .tag").allTextContents();
  tell(`${verdicts.length} figures: ${[...new Set(verdicts)].join("; ")}`);
  assert.ok(verdicts.length > 0 && verdicts.every((text) => !text.includes("missing")));
  assert.deepEqual(await axe(who.page), []);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_tournament_is_stopped_and_goes_on(table) {
  const who = await table.person();
  const spec = "name = \"long\"\ngames = [\"connect_four\"]\nplayers = [\"mcts(playouts=4000)\", \"random\"]\nmatches = 8000\nseed = 1\n";
  const { id } = await table.api("POST", "/tournaments", { spec });
  await who.go(`/lab/${id}`);
  await who.page.click("button >> text=Stop");
  await who.page.waitForSelector("button >> text=Resume", { timeout: 30_000 });
  await who.page.click("button >> text=Resume");
  await who.page.waitForSelector("button >> text=Stop", { timeout: 30_000 });
  await table.api("POST", `/tournaments/${id}/stop`, {});
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}
