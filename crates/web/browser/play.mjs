// Playing: by clicks, by dragging, by keys, with others, and against programs.

import assert from "node:assert/strict";
import { beginMatch, busy } from "./table.mjs";

const turn = (page) => page.waitForFunction(() => document.querySelector("#board .can") || document.querySelector(".result"), null, { timeout: 60_000 });
const over = (page) => page.locator(".result").count();

export async function a_whole_game_of_connect_four_is_lost_to_mcts_by_clicking(table, tell) {
  const who = await table.person();
  await beginMatch(who, "connect_four", ["human", "mcts"]);
  let clicks = 0;
  for (; clicks < 25; clicks++) {
    await turn(who.page);
    if (await over(who.page)) break;
    const step = await who.page.locator("#timeline output").textContent();
    await who.page.locator("#board .cell.can").first().click();
    await who.page.waitForFunction((before) => document.querySelector("#timeline output")?.textContent !== before, step);
  }
  await who.page.waitForSelector(".result");
  assert.match(await who.page.locator(".result").textContent(), /You lost/);
  assert.deepEqual(await who.page.locator(".seat .score").allTextContents(), ["0", "100"]);
  const drawn = await who.page.evaluate(() => performance.getEntriesByName("tafl-drawn").map(({ duration }) => duration));
  drawn.sort((a, b) => a - b);
  const middle = drawn[Math.floor(drawn.length / 2)];
  tell(`lost after ${clicks} clicks; ${drawn.length} steps drawn, ${middle.toFixed(1)} ms in the middle, ${drawn[drawn.length - 1].toFixed(1)} ms at most`);
  if (busy()) tell("the machine is busy, so the times are only told");
  else assert.ok(middle < 50, `a step was drawn ${middle} ms after it arrived`);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function pieces_are_dragged(table) {
  const who = await table.person();
  await beginMatch(who, "breakthrough_5", ["human", "random"]);
  await turn(who.page);
  const centre = async (cell) => {
    const box = await who.page.locator(`#board .cell[data-cell="${cell}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await who.page.mouse.move(...(await centre("2 2")));
  await who.page.mouse.down();
  await who.page.mouse.move(...(await centre("2 3")), { steps: 6 });
  await who.page.mouse.up();
  await who.page.waitForSelector("#log >> text=white: move 2 2 2 3");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function the_board_is_played_with_keys_and_said_aloud(table) {
  const who = await table.person();
  await beginMatch(who, "tic_tac_toe", ["human", "random"]);
  await turn(who.page);
  await who.page.locator("#board [tabindex='0']").focus();
  const at = () => who.page.evaluate(() => document.activeElement.dataset.cell);
  const begin = await at();
  await who.page.keyboard.press("ArrowRight");
  await who.page.keyboard.press("ArrowDown");
  const there = await at();
  assert.notEqual(there, begin);
  await who.page.keyboard.press("Enter");
  await who.page.waitForSelector(`#log >> text=x: mark ${there}`);
  await who.page.waitForFunction((cell) => document.querySelector("#voice")?.textContent.includes(`x: mark ${cell}`), there);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function moves_are_found_in_the_list_taken_back_and_advised(table) {
  const who = await table.person();
  await beginMatch(who, "connect_four", ["human", "random"]);
  await turn(who.page);
  await who.page.click("tafl-moves button[data-move='(drop 4)']");
  await who.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent === "step 2 of 2");
  await who.page.click("text=Take back");
  await who.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent === "step 0 of 0");
  await turn(who.page);
  await who.page.click("#actions >> text=Hint");
  await who.page.waitForSelector(".toast >> text=The adviser would play drop", { timeout: 30_000 });
  await who.page.waitForSelector("#moves .tag");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function two_browsers_play_one_match_and_seats_are_their_own(table) {
  const [red, yellow, guest] = [await table.person(), await table.person(), await table.person()];
  const id = await beginMatch(red, "connect_four", ["human", "open"]);
  await yellow.go(`/match/${id}`);
  await yellow.page.click("text=Take this seat");
  await turn(red.page);
  await red.page.locator("#board .cell.can").first().click();
  await turn(yellow.page);
  assert.equal(await red.page.locator("#board .can").count(), 0);
  await guest.go(`/match/${id}`);
  await guest.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent === "step 1 of 1");
  assert.equal(await guest.page.locator("#board .can").count(), 0);
  assert.equal(await guest.page.locator("text=Take this seat").count(), 0);
  await yellow.page.locator("#board .cell.can").nth(1).click();
  await guest.page.waitForFunction(() => document.querySelector("#timeline output")?.textContent === "step 2 of 2");
  await turn(red.page);
  for (const who of [red, yellow, guest]) {
    assert.deepEqual(who.wrong, []);
    await who.context.close();
  }
}

export async function two_people_play_at_one_screen(table) {
  const who = await table.person();
  await beginMatch(who, "tic_tac_toe", ["human", "human"]);
  for (let step = 1; step <= 5; step++) {
    await turn(who.page);
    await who.page.locator("#board .cell.can").first().click();
    await who.page.waitForFunction((count) => document.querySelector("#timeline output")?.textContent === `step ${count} of ${count}`, step);
  }
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_tab_is_a_player(table) {
  const who = await table.person();
  await beginMatch(who, "tic_tac_toe", ["tab", "random"]);
  await who.page.waitForSelector(".result", { timeout: 60_000 });
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_player_behind_http_takes_part(table) {
  const player = await table.player("random");
  const who = await table.person();
  await who.go("/play?game=tic_tac_toe");
  await who.page.waitForSelector("#begin");
  await who.page.selectOption("#seat-1", "http");
  await who.page.locator("fieldset input[type=text]").nth(1).fill(player.address);
  await who.page.fill("#start-clock", "3");
  await who.page.fill("#play-clock", "5");
  await who.page.click("#begin");
  await who.page.waitForURL("**/match/**");
  for (let move = 0; move < 5 && !(await over(who.page)); move++) {
    await turn(who.page);
    if (await over(who.page)) break;
    const step = await who.page.locator("#timeline output").textContent();
    await who.page.locator("#board .cell.can").first().click();
    await who.page.waitForFunction((before) => document.querySelector("#timeline output")?.textContent !== before, step);
  }
  await who.page.waitForSelector(".result");
  assert.match(await who.page.locator("#seats").textContent(), /http:/);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
  player.end();
}
