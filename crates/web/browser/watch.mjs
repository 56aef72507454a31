// Watching a match that is being played, and going through one that was.

import assert from "node:assert/strict";

const shown = (page) => page.locator("#timeline output").textContent();

/** A match of programs that takes a while. */
async function match(table, clock) {
  const seats = [{ role: "red", player: "mcts" }, { role: "yellow", player: "mcts" }];
  return (await table.api("POST", "/matches", { game: "connect_four", seats, start_clock: 1, play_clock: clock, seed: 7, casual: false })).id;
}

export async function a_live_match_is_watched_and_stepped_back(table) {
  const id = await match(table, 1);
  const who = await table.person();
  await who.go("/matches");
  await who.page.click(`#live a[href="/match/${id}"]`);
  await who.page.waitForFunction(() => /step ([3-9]|\d\d)/.test(document.querySelector("#timeline output")?.textContent ?? ""), null, { timeout: 60_000 });
  const before = await who.page.locator("#board svg").innerHTML();
  await who.page.click("[aria-label='One step back']");
  await who.page.click("[aria-label='One step back']");
  await who.page.waitForSelector("text=Looking back at step");
  assert.notEqual(await who.page.locator("#board svg").innerHTML(), before);
  const [, at, last] = (await shown(who.page)).match(/step (\d+) of (\d+)/).map(Number);
  assert.ok(at < last);
  await who.page.waitForFunction((step) => Number(document.querySelector("#timeline output")?.textContent.match(/of (\d+)/)?.[1] ?? 0) > step, last, { timeout: 30_000 });
  assert.equal(Number((await shown(who.page)).match(/step (\d+)/)[1]), at, "what is shown stays while the match goes on");
  await who.page.click("text=Back to the present");
  await who.page.waitForFunction(() => /step (\d+) of \1$/.test(document.querySelector("#timeline output")?.textContent));
  await who.page.keyboard.press("Home");
  await who.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent.startsWith("step 0 of"));
  assert.deepEqual(who.wrong, []);
  await table.api("POST", `/matches/${id}/abort`);
  await who.context.close();
}

export async function a_finished_match_is_gone_through_with_reasons(table) {
  const seats = [{ role: "red", player: "mcts(playouts=300)" }, { role: "yellow", player: "random" }];
  const { id } = await table.api("POST", "/matches", { game: "connect_four", seats, start_clock: 1, play_clock: 5, seed: 3, casual: false });
  const who = await table.person();
  await who.go(`/match/${id}`);
  await who.page.waitForSelector(".result", { timeout: 60_000 });
  await who.page.reload();
  await who.page.waitForSelector("#lines path.line");
  await who.page.waitForFunction(() => ![...document.querySelectorAll("#log li")].some((line) => line.textContent.includes("…")));
  await who.page.click("[aria-label='To the start']");
  await who.page.selectOption("[aria-label^=Speed]", "10");
  await who.page.click("[aria-label=Play]");
  await who.page.waitForFunction(() => /step (\d+) of \1$/.test(document.querySelector("#timeline output")?.textContent), null, { timeout: 30_000 });
  await who.page.waitForSelector("#board .changed");
  await who.page.locator("#lines svg").click({ position: { x: 120, y: 40 } });
  await who.page.waitForFunction(() => !/step (\d+) of \1$/.test(document.querySelector("#timeline output")?.textContent));
  const [saved] = await Promise.all([who.page.waitForEvent("download"), who.page.click("#tools >> text=SVG")]);
  assert.match(saved.suggestedFilename(), /\.svg$/);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_link_leads_others_to_the_same_position(table) {
  const seats = [{ role: "red", player: "mcts(playouts=60)" }, { role: "yellow", player: "random" }];
  const { id } = await table.api("POST", "/matches", { game: "connect_four", seats, start_clock: 1, play_clock: 5, seed: 9, casual: false });
  const who = await table.person({ permissions: ["clipboard-read", "clipboard-write"] });
  await who.go(`/match/${id}`);
  await who.page.waitForSelector(".result", { timeout: 60_000 });
  await who.page.keyboard.press("Home");
  // Keys are pressed faster than steps are fetched, and none is lost.
  for (let step = 1; step <= 3; step++) await who.page.keyboard.press("ArrowRight");
  await who.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent.startsWith("step 3 of"));
  await who.page.click("#tools >> text=Copy link");
  await who.page.waitForSelector(".toast >> text=copied");
  const link = await who.page.evaluate(() => navigator.clipboard.readText());
  const board = await who.page.locator("#board svg").innerHTML();
  const guest = await table.person();
  await guest.page.goto(link);
  await guest.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent.startsWith("step 3 of"));
  await guest.page.waitForSelector("#board svg");
  assert.equal(await guest.page.locator("#board svg").innerHTML(), board);
  assert.deepEqual([...who.wrong, ...guest.wrong], []);
  await who.context.close();
  await guest.context.close();
}
