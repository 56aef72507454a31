// Folders of games that were opened beside the library, and their stylesheets.

import assert from "node:assert/strict";
import { axe, beginMatch } from "./table.mjs";

export async function games_of_an_opened_checkout_are_found_and_played(table) {
  const who = await table.person();
  await who.go("/");
  await who.page.click("#folders >> text=checkout");
  await who.page.waitForFunction(() => document.querySelectorAll(".game").length === 1);
  assert.match(await who.page.locator(".game").textContent(), /Three marks/);
  assert.match(who.page.url(), /folder=checkout/);
  await who.page.waitForFunction(() => document.querySelector(".game img")?.naturalWidth > 0);
  await who.page.click("#folders >> text=sheets");
  await who.page.waitForFunction(() => document.querySelectorAll(".game").length === 2);
  // A sheet that cannot be read has no picture, and its page says why.
  await who.page.waitForSelector(".game >> text=no picture");
  await who.page.click(".game >> text=broken");
  await who.page.waitForSelector("[role=alert]");
  who.wrong.length = 0;
  await beginMatch(who, encodeURIComponent("checkout:marks"), ["human", "random"]);
  for (let step = 1; !(await who.page.locator(".result").count()); step++) {
    await who.page.waitForFunction(() => document.querySelector("#board .can") || document.querySelector(".result"));
    if (await who.page.locator(".result").count()) break;
    await who.page.locator("#board .can").first().click();
    await who.page.waitForFunction((count) => Number(document.querySelector("#timeline output")?.textContent.match(/of (\d+)/)?.[1] ?? 0) >= count, step);
  }
  // Now that nothing is left to play, the game's own picture is shown, as an image without any power.
  await who.page.waitForFunction(() => document.querySelector("#board img.foreign")?.naturalWidth > 0);
  assert.match(await who.page.locator("#board img.foreign").getAttribute("src"), /look=stylesheet/);
  await who.page.uncheck("#styled");
  await who.page.waitForSelector("#board svg.board");
  await who.page.check("#styled");
  await who.page.click("[aria-label='One step back']");
  await who.page.waitForFunction(() => /steps\/2\.svg/.test(document.querySelector("#board img.foreign")?.src ?? ""));
  assert.deepEqual(await axe(who.page), []);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}
