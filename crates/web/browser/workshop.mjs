// Writing rules: findings where they belong, trying and playing, hostile symbols.

import assert from "node:assert/strict";

const STICKS = `(role left)
(role right)
(init (sticks 3))
(init (control left))
(less 3 2) (less 2 1) (less 1 0)
(<= (legal ?who take) (true (control ?who)))
(<= (legal left wait) (true (control right)))
(<= (legal right wait) (true (control left)))
(<= (legal ?who stare) (true (control ?who)))
(<= (next (sticks ?m)) (does ?who take) (true (sticks ?n)) (less ?n ?m))
(<= (next (sticks ?n)) (does ?who stare) (true (sticks ?n)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (true (sticks 0)))
(goal left 50)
(goal right 50)
`;
const BROKEN = STICKS.replace("(less ?n ?m))", "(less ?n ?k))");

export async function a_broken_sheet_shows_its_error_under_the_word_is_mended_and_played(table, tell) {
  const who = await table.person();
  await who.go("/workshop");
  await who.page.waitForSelector("#findings", { state: "attached" });
  const area = who.page.locator("tafl-editor textarea");
  const begin = Date.now();
  await area.fill(BROKEN);
  const mark = who.page.locator("tafl-editor mark.error").first();
  await mark.waitFor();
  tell(`the finding was there ${Date.now() - begin} ms after the last key`);
  // `?m` in the head is bound by nothing.
  assert.equal(await mark.textContent(), "?m");
  const word = await mark.boundingBox();
  const bubble = await who.page.locator("tafl-editor .bubble").boundingBox();
  assert.ok(bubble.y >= word.y + word.height - 4 && bubble.y < word.y + 3 * word.height, "the bubble is under the word");
  assert.equal(await who.page.locator(".gutter .error").first().textContent(), "10");
  assert.match(await who.page.locator("#verdict").textContent(), /does not play/);
  assert.ok(await who.page.locator("#play").isDisabled());
  await area.fill(STICKS);
  await who.page.waitForSelector("#verdict >> text=plays");
  await who.page.waitForFunction(() => !document.querySelector("tafl-editor mark.error"));
  // A step, another from before, and back: branches stay.
  await who.page.click("#panel-position tafl-moves >> text=take");
  await who.page.waitForSelector("#turn >> text=Step 1");
  await who.page.click("#undo");
  await who.page.waitForSelector("#turn >> text=Step 0");
  await who.page.click("#panel-position tafl-moves >> text=stare");
  await who.page.waitForSelector("#turn >> text=Step 1");
  assert.equal(await who.page.locator("#branches button").count(), 3);
  await who.page.click("#tab-playouts");
  await who.page.click("#run-playouts");
  await who.page.waitForSelector("#playout-result table", { timeout: 30_000 });
  await who.page.click("#tab-profile");
  await who.page.click("#run-profile");
  await who.page.waitForSelector("#profile-result table", { timeout: 30_000 });
  await who.page.click("#play");
  await who.page.waitForURL("**/play?sheet=draft");
  await who.page.waitForSelector("#begin");
  await who.page.selectOption("#seat-1", "human");
  await who.page.click("#begin");
  await who.page.waitForURL("**/match/**");
  for (let step = 1; step <= 3; step++) {
    await who.page.click("tafl-moves button[data-move='take']");
    await who.page.waitForFunction((count) => document.querySelector("#timeline output")?.textContent === `step ${count} of ${count}`, step);
  }
  await who.page.waitForSelector(".result >> text=A draw");
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

export async function a_sheet_is_turned_into_the_other_form_and_back(table) {
  const who = await table.person();
  await who.go("/workshop");
  const area = who.page.locator("tafl-editor textarea");
  await area.fill(STICKS);
  await who.page.waitForSelector("#verdict >> text=plays");
  await who.page.selectOption("#language", "hrf");
  await who.page.waitForFunction(() => document.querySelector("tafl-editor textarea").value.includes(":-"));
  await who.page.waitForSelector("#verdict >> text=plays");
  await who.page.selectOption("#language", "kif");
  await who.page.waitForFunction(() => document.querySelector("tafl-editor textarea").value.includes("(<="));
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}

/** Symbols that would do harm wherever they were taken for markup. */
const EVIL = ["<script>pwned=1</script>", "\"><img/src=x/onerror=pwned=2>", "'onclick='pwned=3'", "&lt;b&gt;", "javascript:pwned=4", "]]><svg/onload=pwned=5>", "\u0001\u0007\u001b[31m", "\u202eevil"];

export async function hostile_symbols_are_shown_harmlessly(table) {
  const names = EVIL.map((name) => name.replace(/[()\s;]/g, ""));
  const [role, other, fluent, ...moves] = names;
  const sheet = `(role ${role})
(role ${other})
(init (cell 1 1 ${fluent})) (init (cell 1 2 ${moves[0]})) (init (cell 2 1 ${role})) (init (cell 2 2 ${other}))
${[role, other].map((who) => moves.map((move) => `(legal ${who} (${move} 1 2))`).join("\n")).join("\n")}
(<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)))
(<= (next (done ?who ?what)) (does ?who ?what))
(<= terminal (true (done ?who ?what)))
(goal ${role} 100)
(goal ${other} 0)
`;
  const who = await table.person();
  await who.go("/workshop");
  await who.page.locator("tafl-editor textarea").fill(sheet);
  await who.page.waitForSelector("#verdict .tag");
  const harmless = async () => {
    assert.equal(await who.page.evaluate(() => globalThis.pwned), undefined);
    assert.equal(await who.page.locator("script:not([src]), img[onerror], [onload], [onclick], main script").count(), 0);
  };
  await harmless();
  assert.match(await who.page.locator("#verdict").textContent(), /plays/, await who.page.locator("#findings").textContent());
  await who.page.waitForSelector("tafl-moves button");
  const { id } = await table.api("POST", "/matches", { sheet: { text: sheet, language: "kif" }, seats: [{ role, player: "random" }, { role: other, player: "random" }], start_clock: 1, play_clock: 1, seed: 1, casual: true });
  await who.go(`/match/${id}`);
  await who.page.waitForSelector(".result");
  await harmless();
  const seats = await who.page.locator("#seats strong").allTextContents();
  assert.deepEqual(seats, [role, other]);
  await who.go("/matches");
  await who.page.waitForSelector(`a[href="/match/${id}"]`);
  await harmless();
  await who.page.goto(`${table.base}/api/v1/matches/${id}/steps/0.svg`);
  assert.equal(await who.page.evaluate(() => globalThis.pwned), undefined);
  assert.deepEqual(who.wrong, []);
  await who.context.close();
}
