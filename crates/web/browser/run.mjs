// All tests of the pages: one service, one browser, one after the other.
// `node run.mjs`, with TAFL_BIN and TAFL_CHROMIUM if they are not where they
// usually are; TAFL_BASE tests a service that is already there.

import { test } from "node:test";
import { open } from "./table.mjs";
import * as first from "./first.mjs";
import * as play from "./play.mjs";
import * as watch from "./watch.mjs";
import * as links from "./links.mjs";
import * as hidden from "./hidden.mjs";
import * as workshop from "./workshop.mjs";
import * as cards from "./cards.mjs";
import * as folders from "./folders.mjs";
import * as lab from "./lab.mjs";
import * as experiments from "./experiments.mjs";
import * as looks from "./looks.mjs";

const only = process.argv[2];

await test("the pages in a browser", async (all) => {
  const table = await open();
  all.after(() => table.end());
  for (const group of [first, play, cards, watch, links, hidden, workshop, folders, lab, experiments, looks]) {
    for (const [name, check] of Object.entries(group)) {
      const sentence = name.replaceAll("_", " ");
      if (only && !sentence.includes(only)) continue;
      await all.test(sentence, { timeout: 600_000 }, (t) => check(table, (text) => t.diagnostic(text)));
    }
  }
});
