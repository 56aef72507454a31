// A tournament from the page on which it is written to its plot.

import assert from "node:assert/strict";

export async function a_tournament_is_held_and_its_plot_shown(table, tell) {
  const who = await table.person();
  await who.go("/lab");
  await who.page.waitForSelector("#spec");
  await who.page.fill("#spec", "name = \"broken\"\nplayers = [\"mcts\"\n");
  await who.page.click("form >> text=Begin");
  await who.page.waitForSelector("[role=alert]");
  tell(`a bad tournament is told: ${(await who.page.locator("[role=alert]").textContent()).trim().slice(0, 120)}`);
  await who.page.fill("#spec", "name = \"quick\"\ngames = [\"tic_tac_toe\"]\nplayers = [\"mcts(playouts=50)\", \"lookahead\", \"random\"]\nmatches = 4\nseed = 1\n");
  await who.page.click("form >> text=Begin");
  await who.page.waitForURL("**/lab/*");
  await who.page.waitForSelector("table >> text=lookahead", { timeout: 60_000 });
  await who.page.waitForSelector(".plot svg", { timeout: 60_000 });
  await who.page.waitForFunction(() => {
    const bar = document.querySelector("progress");
    return bar && bar.value === bar.max;
  }, null, { timeout: 60_000 });
  const players = await who.page.locator("section[aria-labelledby=standings] tbody th").allTextContents();
  assert.equal(players.length, 3);
  assert.equal(players[0], "mcts(playouts=50)");
  // Every match in it can be gone through. The refused tournament left its trace in the console.
  await who.page.locator("section[aria-labelledby=matches] a").first().click();
  await who.page.waitForSelector(".result");
  await who.page.waitForSelector("#board svg");
  assert.deepEqual(who.wrong.filter((text) => !text.includes("400")), []);
  await who.context.close();
}
