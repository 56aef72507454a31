// Moves and results in words.

import { visible } from "./dom.js";

/** "(drop 3)" as "drop 3". */
export function pretty(move) {
  const text = visible(move);
  return /^\([^()]*\)$/.test(text) ? text.slice(1, -1) : text;
}

/** The moves of a step; `movers` are the roles that had a choice, if known. */
export function saidMoves(step, movers) {
  const made = Object.entries(step?.moves ?? {});
  const real = movers?.length ? made.filter(([role]) => movers.includes(role)) : made;
  return (real.length ? real : made).map(([role, move]) => `${visible(role)}: ${pretty(move)}`).join(", ");
}

/** Which moves of a step the referee made in place of players, and why; "" if none. */
export function substitutes(step) {
  const made = Object.entries(step?.replaced ?? {});
  return made.map(([role, { text }]) => `${visible(role)}'s move was made by the referee: ${visible(text)}`).join("; ");
}

/** How many moves the referee made for whom: "The referee made 3 moves for red." */
export function countedSubstitutes(counts) {
  const said = Object.entries(counts).map(([role, count]) => `${count} ${count === 1 ? "move" : "moves"} for ${visible(role)}`);
  return said.length ? `The referee made ${said.join(" and ")}.` : "";
}

const value = (goals, role, index) => (Array.isArray(goals) ? goals[index] : goals?.[role]);

/** "red wins", "A draw", "You lost" …, without the scores. */
export function verdict(goals, roles, own) {
  if (!goals) return "The match is over.";
  const scored = roles.map((role, index) => [role, value(goals, role, index)]).filter(([role, goal]) => role !== "random" && goal !== null && goal !== undefined);
  if (!scored.length) return "The match is over.";
  const best = Math.max(...scored.map(([, goal]) => goal));
  const first = scored.filter(([, goal]) => goal === best).map(([role]) => role);
  if (scored.length === 1) return own.length ? `You scored ${best}.` : `${visible(first[0])} scored ${best}.`;
  if (first.length === scored.length) return "A draw.";
  if (own.length === 1) return first.includes(own[0]) ? "You won!" : "You lost.";
  return `${first.map(visible).join(" and ")} won.`;
}

export { value as goalOf };
