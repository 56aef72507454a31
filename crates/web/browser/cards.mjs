// Games without a board: cards that are clicked and dragged; and pieces that fall.

import assert from "node:assert/strict";
import { axe, beginMatch } from "./table.mjs";

const turn = (page) => page.waitForFunction(() => document.querySelector("#board .can") || document.querySelector(".result"), null, { timeout: 60_000 });

export async function a_card_in_the_hand_is_played_by_clicking_it(table) {
  const who = await table.person();
  await beginMatch(who, "goofspiel", ["human", "random"]);
  await turn(who.page);
  const role = (await table.api("GET", "/games/goofspiel")).roles[0];
  // Only the own hand can be chosen from.
  const can = await who.page.locator("#board .card.can").evaluateAll((cards) => cards.map(({ dataset }) => dataset.cell));
  assert.ok(can.length > 3 && can.every((cell) => cell.startsWith(`holds ${role} `)), can.join(", "));
  assert.deepEqual(await axe(who.page), []);
  await who.page.click(`#board .card[data-cell="holds ${role} 3"]`);
  await who.page.waitForSelector(`#log >> text=${role}: bid 3`);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_heap_asks_how_many(table) {
  const who = await table.person();
  await beginMatch(who, "nim", ["human", "random"]);
  await turn(who.page);
  await who.page.click("#board .card[data-cell='heap a 3']");
  await who.page.waitForSelector(".board-ask:not([hidden]) button");
  await who.page.click(".board-ask >> text=take a 2");
  await who.page.waitForSelector("#log >> text=first: take a 2");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_disk_is_dragged_to_another_peg(table) {
  const who = await table.person();
  await beginMatch(who, "hanoi", ["human"]);
  await turn(who.page);
  const centre = async (selector) => {
    const box = await who.page.locator(selector).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await who.page.mouse.move(...(await centre("#board .card.can")));
  await who.page.mouse.down();
  await who.page.mouse.move(...(await centre("#board .place[data-cell='on c']")), { steps: 6 });
  await who.page.mouse.up();
  await who.page.waitForSelector("#log >> text=move 1 a c");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function discs_fall_unless_motion_is_unwanted(table) {
  for (const [reducedMotion, count] of [["no-preference", 1], ["reduce", 0]]) {
    const who = await table.person({ reducedMotion });
    await beginMatch(who, "connect_four", ["human", "human"]);
    await turn(who.page);
    await who.page.locator("#board .cell.can").first().click();
    await who.page.waitForSelector("#log >> text=red: drop");
    assert.equal(await who.page.locator("#board animateTransform").count(), count);
    assert.deepEqual(who.wrong, []);
    await who.context.close();
  }
}
