// What every test sits at: the service with a store of its own, a browser, and
// pages that remember whatever went wrong in them.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "../../..");
const PROGRAM = process.env.TAFL_BIN ?? join(ROOT, "target/debug/tafl");
export const SHOTS = join(ROOT, "target/screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A row of three squares that two players mark in turn. */
const MARKS = `(role x) (role o)
(init (cell 1 1 b)) (init (cell 2 1 b)) (init (cell 3 1 b)) (init (control x))
(<= (legal ?p (mark ?n 1)) (true (control ?p)) (true (cell ?n 1 b)))
(<= (legal x noop) (true (control o)))
(<= (legal o noop) (true (control x)))
(<= (next (cell ?n 1 ?p)) (does ?p (mark ?n 1)))
(<= (next (cell ?n 1 ?w)) (true (cell ?n 1 ?w)) (distinct ?w b))
(<= (next (cell ?n 1 b)) (true (cell ?n 1 b)) (does ?p (mark ?m 1)) (distinct ?m ?n))
(<= (next (control o)) (true (control x)))
(<= (next (control x)) (true (control o)))
(<= open (true (cell ?n 1 b)))
(<= terminal (not open))
(goal x 50) (goal o 50)
`;
const LOOK = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template name="main" match="/">
<style>td.cell { width: 180px; height: 180px; border: 3px solid #6b4f2c; background: #f1e2c1; font: 120px sans-serif; text-align: center; color: #97301f; }</style>
<table style="border-collapse: collapse; margin: 190px auto"><tr><xsl:for-each select="//fact[relation='cell']"><xsl:sort select="argument[1]"/>
<td class="cell"><xsl:if test="argument[3] != 'b'"><xsl:value-of select="argument[3]"/></xsl:if></td></xsl:for-each></tr></table>
</xsl:template></xsl:stylesheet>`;

/** A checkout laid out like the public repository with one game, and a folder of sheets, one of them broken. */
function openedFolders(folder) {
  const put = (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const game = join(folder, "checkout/war/root/games/marks");
  put(join(game, "METADATA"), JSON.stringify({ rulesheet: "m.kif", gameName: "Three marks", description: "m.txt", stylesheet: "m.xsl" }));
  put(join(game, "m.kif"), MARKS);
  put(join(game, "m.txt"), "Mark a row of three.");
  put(join(game, "m.xsl"), LOOK);
  put(join(folder, "sheets/row.kif"), MARKS);
  put(join(folder, "sheets/broken.kif"), "(role x) (<= (legal ?x");
  return [join(folder, "checkout"), join(folder, "sheets")];
}

/** Starts the service; gives its address and how to end it. */
async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "tafl-browser-"));
  const opened = openedFolders(folder);
  const child = spawn(PROGRAM, ["serve", ...opened, "--port", "0", "--store", join(folder, "matches.db")], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const base = await new Promise((found, failed) => {
    const hear = (bytes) => {
      said += bytes;
      const address = said.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0];
      if (address) found(address);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`${PROGRAM} serve ended with ${code}:\n${said}`)));
  });
  const end = () => new Promise((done) => {
    child.removeAllListeners("exit");
    child.on("exit", () => {
      rmSync(folder, { recursive: true, force: true });
      done();
    });
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), 8000).unref();
  });
  return { base, end, said: () => said };
}

/** The service and a browser. */
export async function open() {
  mkdirSync(SHOTS, { recursive: true });
  const service = process.env.TAFL_BASE ? { base: process.env.TAFL_BASE, end: async () => {}, said: () => "" } : await serve();
  const browser = await chromium.launch({
    executablePath: process.env.TAFL_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const { base } = service;
  return {
    base,
    /** A browser of somebody: what they keep is theirs alone. */
    async person(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light", ...options });
      const page = await context.newPage();
      const wrong = [];
      page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
      page.on("dialog", (dialog) => {
        wrong.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
      });
      page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
      return { context, page, wrong, go: (path) => page.goto(base + path, { waitUntil: "load" }) };
    },
    async api(method, path, body) {
      const answer = await fetch(`${base}/api/v1${path}`, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    /** One of our players in a process of its own, behind HTTP. */
    player(spec) {
      const child = spawn(PROGRAM, ["player", spec, "--port", "0"], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
      return new Promise((found, failed) => {
        let said = "";
        child.on("error", failed);
        child.stdout.on("data", (bytes) => {
          said += bytes;
          const port = said.match(/:(\d{4,5})/)?.[1];
          if (port) found({ address: `http://127.0.0.1:${port}`, end: () => child.kill("SIGINT") });
        });
      });
    },
    async end() {
      await browser.close();
      await service.end();
    },
  };
}

/** Whether other programs keep this machine so busy that times say nothing about the pages. */
export const busy = () => loadavg()[0] > 1.5 * availableParallelism();

/** Serious findings of axe-core on a page, as text. */
export async function axe(page) {
  // The page's policy forbids scripts from elsewhere; the driver's own are not bound by it.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** Begins a match from the page on which it is set up, as a person would. */
export async function beginMatch(who, game, seats, { play = 1, start = 1, casual = true } = {}) {
  await who.go(`/play?game=${game}`);
  await who.page.waitForSelector("#begin");
  for (const [index, player] of seats.entries()) {
    const select = who.page.locator(`#seat-${index}`);
    if (["human", "open", "tab"].includes(player)) await select.selectOption(player);
    else {
      await select.selectOption("spec");
      await who.page.locator("fieldset input[type=text]").nth(index).fill(player);
    }
  }
  await who.page.fill("#start-clock", String(start));
  await who.page.fill("#play-clock", String(play));
  if (!casual) await who.page.uncheck("#casual");
  await who.page.click("#begin");
  await who.page.waitForURL("**/match/**");
  return decodeURIComponent(new URL(who.page.url()).pathname.split("/")[2]);
}
