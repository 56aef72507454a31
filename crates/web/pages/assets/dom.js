// Creates elements. Text is always inserted as text: nothing here parses markup, so the
// symbols of a rule sheet are only ever displayed.

const SVG = "http://www.w3.org/2000/svg";

/** An element: h("button", {class: "main", onclick: go}, "Play"). */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replaces the children of an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const $ = (selector, root = document) => root.querySelector(selector);

/** Replaces invisible characters by visible ones: control characters by their Unicode pictures. */
export function visible(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (char) => {
    const code = char.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return "\ufffd";
  });
}

/** `fn`, but only after calls have stopped for `ms`. */
export function settled(fn, ms) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), ms);
  };
}

/** Formats a number with at most this many decimals, without trailing zeros. */
export function number(value, decimals = 1) {
  return value === null || value === undefined || Number.isNaN(value)
    ? "–"
    : Number(value).toLocaleString("en", { maximumFractionDigits: decimals });
}

/** Stores values in this browser; reading falls back to `otherwise`. */
export const memory = {
  get(name, otherwise) {
    try {
      const text = localStorage.getItem(`tafl.${name}`);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`tafl.${name}`, JSON.stringify(value));
    } catch {
      // Without storage, the value is lost; the page still works.
    }
  },
};
