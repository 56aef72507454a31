// Seats belong to the browser that took them: their keys are stored here, by match.

import { memory } from "./dom.js";

/** {role: {key, player}} of a match. */
export const seatsOf = (match) => memory.get(`seats.${match}`, {});

export function keep(match, role, key, player = "human") {
  const seats = seatsOf(match);
  seats[role] = { key, player };
  memory.set(`seats.${match}`, seats);
}
