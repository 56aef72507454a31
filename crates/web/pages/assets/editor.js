// <tafl-editor>: a text area with line numbers, syntax highlighting, and findings under the
// words they refer to. The text area does the editing; a layer behind it shows the rest.

import { h, put, visible } from "./dom.js";
import { pieces, words } from "./highlight.js";

/** Longer sheets are not highlighted, so that typing stays fast. */
const COLOURED = 60_000;

class TaflEditor extends HTMLElement {
  #area = h("textarea", { spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
  #layer = h("pre", { "aria-hidden": "true" });
  #gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  #bubble = h("div", { class: "bubble", hidden: true, id: "bubble" });
  #findings = [];
  #language = "kif";

  connectedCallback() {
    if (this.#area.isConnected) return;
    this.#area.setAttribute("aria-label", this.getAttribute("label") ?? "Text");
    this.#area.setAttribute("aria-describedby", "bubble");
    this.append(this.#gutter, h("div", { class: "sheet" }, this.#layer, this.#area, this.#bubble));
    this.#area.addEventListener("input", () => {
      // The positions of findings refer to the text that was checked.
      this.#findings = [];
      this.#draw();
      this.dispatchEvent(new CustomEvent("edit"));
    });
    this.#area.addEventListener("scroll", () => this.#scrolled());
    document.addEventListener("selectionchange", () => document.activeElement === this.#area && this.#point());
    this.#area.addEventListener("keydown", (event) => this.#key(event));
  }

  get text() {
    return this.#area.value;
  }

  set text(text) {
    this.#area.value = text;
    this.#findings = [];
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
    this.#draw();
  }

  set language(language) {
    this.#language = language;
    this.#draw();
  }

  /** Findings from the service; their offsets count UTF-16 code units. */
  set findings(diagnostics) {
    const text = this.text;
    this.#findings = diagnostics.map((diagnostic) => {
      const from = Math.min(diagnostic.start.offset, text.length);
      let to = Math.min(diagnostic.end.offset, text.length);
      if (to <= from) to = Math.min(from + 1, text.length);
      return { ...diagnostic, from, to, grade: diagnostic.severity === "error" ? "error" : "warning" };
    });
    this.#draw();
  }

  /** Moves the caret to a finding. */
  go(index) {
    const finding = this.#findings[index];
    if (!finding) return;
    this.#area.focus();
    this.#area.setSelectionRange(finding.from, finding.to);
    const row = this.text.slice(0, finding.from).split("\n").length - 1;
    this.#area.scrollTop = Math.max(0, row * this.#lineHeight() - this.#area.clientHeight / 3);
    this.#scrolled();
    this.#point();
  }

  /** Moves the caret to a line and selects it. */
  goLine(line) {
    const lines = this.text.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.#area.focus();
    this.#area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    this.#area.scrollTop = Math.max(0, (line - 1) * this.#lineHeight() - this.#area.clientHeight / 3);
    this.#scrolled();
  }

  #lineHeight() {
    return parseFloat(getComputedStyle(this.#area).lineHeight) || 20;
  }

  // Tab indents, as in other editors; Escape followed by Tab leaves the field.
  #key(event) {
    if (event.key === "Escape") this.escaped = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.escaped) {
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    } else if (event.key === "Enter" && !event.ctrlKey) {
      const before = this.text.slice(0, this.#area.selectionStart);
      const indent = before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/)[0];
      if (indent) {
        event.preventDefault();
        document.execCommand("insertText", false, `\n${indent}`);
      }
    }
    if (event.key !== "Escape" && event.key !== "Tab") this.escaped = false;
  }

  #draw() {
    const text = this.text;
    const colours = text.length > COLOURED ? [] : words(text, this.#language);
    const parts = pieces(text, colours, this.#findings).map(({ text: part, word, finding }) => {
      const inner = word ? h("span", { class: word }, part) : part;
      return finding ? h("mark", { class: finding.grade, data: { code: finding.code, finding: this.#findings.indexOf(finding) } }, inner) : inner;
    });
    put(this.#layer, parts, "\n");
    const grades = new Map();
    for (const { start, grade } of this.#findings) if (grades.get(start.line) !== "error") grades.set(start.line, grade);
    const lines = text.split("\n").length;
    put(this.#gutter, Array.from({ length: lines }, (_, i) => h("span", { class: grades.get(i + 1) }, String(i + 1))), h("span", {}, "\u00a0"), h("span", {}, "\u00a0"));
    this.#scrolled();
    this.#point();
  }

  #scrolled() {
    this.#layer.scrollTop = this.#gutter.scrollTop = this.#area.scrollTop;
    this.#layer.scrollLeft = this.#area.scrollLeft;
    this.#place();
  }

  /** The bubble shows the finding at the caret, otherwise the first error. */
  #point() {
    const caret = this.#area.selectionStart;
    const index = this.#findings.findIndex(({ from, to }) => from <= caret && caret <= to);
    const first = this.#findings.findIndex(({ grade }) => grade === "error");
    this.pointed = index >= 0 ? index : first;
    this.#place();
  }

  #place() {
    const finding = this.#findings[this.pointed];
    const mark = finding && this.#layer.querySelector(`[data-finding="${this.pointed}"]`);
    this.#bubble.hidden = !mark;
    if (!mark) return;
    this.#bubble.className = `bubble ${finding.grade}`;
    put(this.#bubble, visible(finding.message), finding.help && h("span", { class: "help" }, visible(finding.help)));
    const top = mark.offsetTop + this.#lineHeight() + 2 - this.#layer.scrollTop;
    const left = Math.max(8, Math.min(mark.offsetLeft - this.#layer.scrollLeft, this.#layer.clientWidth - this.#bubble.offsetWidth - 8));
    this.#bubble.hidden = top < 0 || top > this.#layer.clientHeight - 10;
    this.#bubble.style.top = `${top}px`;
    this.#bubble.style.left = `${left}px`;
  }
}

customElements.define("tafl-editor", TaflEditor);
