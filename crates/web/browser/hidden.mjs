// Hidden information: a seat is shown what it may know, and nobody else anything.

import assert from "node:assert/strict";
import { beginMatch } from "./table.mjs";

export async function monty_hall_is_played_without_seeing_the_car(table) {
  const who = await table.person();
  const arrived = [];
  who.page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => arrived.push(String(payload))));
  who.page.on("response", async (answer) => answer.url().includes("/api/v1/matches/") && arrived.push(await answer.text().catch(() => "")));
  const id = await beginMatch(who, "monty_hall_3", ["human"]);
  await who.page.click("tafl-moves button[data-move='(choose 2)']");
  await who.page.waitForSelector("tafl-moves button[data-move='switch']");
  assert.match(await who.page.locator("#seen").textContent(), /closed [13]/);
  // Until here somebody knew where the car is, and nothing of it may have come to this browser.
  for (const text of arrived) assert.doesNotMatch(text, /hide_car|\(car \d|leave_closed/);
  assert.doesNotMatch(await who.page.locator("body").textContent(), /hide_car|leave_closed/);
  const guest = await table.person();
  await guest.go(`/match/${id}`);
  await guest.page.waitForSelector("text=Nothing is shown until this match is over");
  assert.equal(await guest.page.locator("#board svg").count(), 0);
  for (const path of ["steps/1?view=all", "steps/2?view=candidate", "steps/2.svg?view=all", "record"]) {
    const { status } = await fetch(`${table.base}/api/v1/matches/${id}/${path}`);
    assert.ok(status === 403 || status === 409, `${path} gave ${status}`);
  }
  await who.page.click("tafl-moves button[data-move='switch']");
  await who.page.waitForSelector(".result");
  assert.match(await who.page.locator(".result").textContent(), /You scored (0|100)/);
  // Now it can be told.
  await guest.page.waitForSelector("#board svg", { timeout: 15_000 });
  assert.deepEqual([...who.wrong, ...guest.wrong], []);
  await who.context.close();
  await guest.context.close();
}

export async function at_one_screen_hidden_views_are_covered_between_turns(table) {
  const who = await table.person();
  await beginMatch(who, "phantom_tic_tac_toe", ["human", "human"]);
  const first = who.page.locator("#cover button, #board .can").first();
  await first.waitFor();
  if (await who.page.locator("#cover button").count()) await who.page.click("#cover button");
  await who.page.waitForSelector("tafl-moves button");
  await who.page.locator("tafl-moves button").first().click();
  await who.page.waitForSelector("#cover >> text=Over to");
  assert.ok(await who.page.locator("#board").isHidden());
  assert.equal(await who.page.locator("tafl-moves button").count(), 0);
  await who.page.click("#cover button");
  await who.page.waitForSelector("tafl-moves button");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function spectators_choose_a_seat_and_see_the_truth_afterwards(table) {
  const seats = ["x", "o"].map((role) => ({ role, player: "hyperplay(models=4,playouts=1)" }));
  const { roles } = await table.api("GET", "/games/phantom_tic_tac_toe");
  const { id } = await table.api("POST", "/matches", { game: "phantom_tic_tac_toe", seats: seats.map((seat, at) => ({ ...seat, role: roles[at] })), start_clock: 1, play_clock: 60, casual: false });
  const who = await table.person();
  await who.go(`/match/${id}`);
  // A match of programs that goes on long enough to choose whose eyes to see with; when it is over there is more to choose from.
  await who.page.waitForSelector("[aria-label='Whose eyes']");
  const views = () => who.page.locator("[aria-label='Whose eyes'] option").evaluateAll((options) => options.map(({ value }) => value));
  const { state } = await table.api("GET", `/matches/${id}`);
  if (state === "live") assert.ok(!(await views()).includes("all"), "the truth is not for those who watch");
  await who.page.selectOption("[aria-label='Whose eyes']", roles[1]);
  await who.page.waitForSelector("#board svg");
  await who.page.waitForSelector(".result", { timeout: 120_000 });
  await who.page.reload();
  await who.page.waitForSelector("[aria-label='Whose eyes'] option[value=all]", { state: "attached" });
  assert.deepEqual(await views(), ["all", ...roles]);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}
