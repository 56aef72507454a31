// Classifies the words of a rule sheet, in both forms, for syntax highlighting.

const KEYWORDS = new Set("role init true does next legal goal terminal base input sees knows random distinct not or and".split(" "));
const KIF = /(;[^\n]*)|(\?[^\s()]+)|(<=)|([^\s()<?;][^\s();]*)/g;
const HRF = /(%[^\n]*)|("[^"\n]*"|'[^'\n]*')|(:-|[&|~])|([A-Za-z0-9_]+)/g;

/** [start, end, class] of the words to highlight, in order. */
export function words(text, language) {
  const found = [];
  const pattern = new RegExp(language === "hrf" ? HRF : KIF);
  for (const match of text.matchAll(pattern)) {
    const kind = language === "hrf" ? hrf(match) : kif(match);
    if (kind) found.push([match.index, match.index + match[0].length, kind]);
  }
  return found;
}

function kif([, comment, variable, arrow, word]) {
  if (comment) return "word-comment";
  if (variable) return "word-variable";
  if (arrow) return "word-arrow";
  return plain(word);
}

function hrf([, comment, quoted, sign, word]) {
  if (comment) return "word-comment";
  if (quoted) return null;
  if (sign) return "word-arrow";
  return /^[A-Z_]/.test(word) ? "word-variable" : plain(word);
}

function plain(word) {
  if (KEYWORDS.has(word.toLowerCase())) return "word-keyword";
  return /^\d+$/.test(word) ? "word-number" : null;
}

/** Splits the text at the boundaries of words and findings: [{text, word, finding}]. */
export function pieces(text, colours, findings) {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of colours) cuts.add(start).add(end);
  for (const { from, to } of findings) cuts.add(from).add(to);
  const sorted = [...cuts].sort((a, b) => a - b);
  const result = [];
  let colour = 0;
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [start, end] = [sorted[i], sorted[i + 1]];
    while (colour < colours.length && colours[colour][1] <= start) colour++;
    const word = colour < colours.length && colours[colour][0] <= start ? colours[colour][2] : null;
    const finding = findings.find(({ from, to }) => from <= start && end <= to) ?? null;
    result.push({ text: text.slice(start, end), word, finding });
  }
  return result;
}
