// Pictures drawn by the service, as part of the page. They are parsed as XML, and only known
// elements and attributes are copied: even if a picture contained a script, only shapes would
// remain.

import { visible } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set("svg g rect circle ellipse line polyline polygon path text tspan title desc defs marker use symbol linearGradient radialGradient stop clipPath pattern".split(" "));
const ATTRIBUTES = new Set(("class id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry d points transform fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray opacity"
  + " font-size font-family font-weight font-style text-anchor dominant-baseline dx dy rotate role tabindex preserveAspectRatio marker-end marker-start marker-mid markerWidth markerHeight markerUnits refX refY orient"
  + " offset stop-color stop-opacity gradientUnits gradientTransform clip-path patternUnits vector-effect paint-order textLength lengthAdjust pointer-events letter-spacing xml:space").split(" "));

/** The only animation that is allowed: a piece falls into its place. */
const MOTION = { attributeName: /^transform$/, type: /^translate$/, additive: /^sum$/, values: /^[-\d. ;]+$/, keyTimes: /^[\d. ;]+$/, dur: /^[\d.]+s$/ };

/** The picture in `text` as an element of this document, or null. */
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  return root.namespaceURI === SVG && root.localName === "svg" ? taken(root) : null;
}

function taken(node) {
  if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
    return document.createTextNode(visible(node.data.replace(/[\n\t]/g, " ")));
  }
  if (node.nodeType === Node.ELEMENT_NODE && node.localName === "animateTransform") return moving(node);
  if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== SVG || !ELEMENTS.has(node.localName)) return null;
  const copy = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) {
    const local = (name === "href" || name === "xlink:href") && value.startsWith("#");
    if (!local && !ATTRIBUTES.has(name) && !name.startsWith("data-") && !name.startsWith("aria-")) continue;
    if (/url\(\s*['"]?(?!#)/i.test(value)) continue;
    copy.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    const kept = taken(child);
    if (kept) copy.append(kept);
  }
  return copy;
}

function moving(node) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const attributes = [...node.attributes];
  if (!attributes.every(({ name, value }) => MOTION[name]?.test(value))) return null;
  const copy = document.createElementNS(SVG, "animateTransform");
  for (const { name, value } of attributes) copy.setAttribute(name, value);
  return copy;
}
