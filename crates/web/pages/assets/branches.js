// The lines that were tried: a tree of joint moves from the start. Going back and choosing
// another move adds a branch; nothing that was tried is lost.

import { h } from "./dom.js";
import { pretty } from "./words.js";

export class Branches {
  constructor() {
    this.root = { moves: null, parent: null, children: [] };
    this.here = this.root;
  }

  /** The joint moves from the start to a node. */
  line(node = this.here) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.unshift(at.moves);
    return moves;
  }

  /** Makes a step, along an existing branch or a new one. */
  step(moves) {
    const key = JSON.stringify(moves);
    let next = this.here.children.find((child) => JSON.stringify(child.moves) === key);
    if (!next) this.here.children.push((next = { moves, parent: this.here, children: [] }));
    this.here = next;
  }

  back() {
    if (this.here.parent) this.here = this.here.parent;
  }

  /** The tree as a list; branches are indented. */
  draw(go) {
    const button = (node, depth) =>
      h("button", { type: "button", "aria-current": node === this.here && "step", onclick: () => go(node) },
        node.parent ? `${depth}. ${node.moves.filter((move) => !/^\(?noop\)?$/.test(move)).map(pretty).join(", ") || pretty(node.moves[0])}` : "the start");
    const items = [];
    const walk = (node, depth, into) => {
      into.push(h("li", {}, button(node, depth)));
      if (node.children.length === 1) return walk(node.children[0], depth + 1, into);
      for (const child of node.children) {
        const inner = [];
        walk(child, depth + 1, inner);
        into.push(h("li", {}, h("ul", {}, inner)));
      }
    };
    walk(this.root, 0, items);
    return items;
  }
}
