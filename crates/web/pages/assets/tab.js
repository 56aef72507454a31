// A tab that plays: it answers the steps of its seat like any other player.
// `tafl.player` can be set in the browser's console: a function that gets the step and
// the role's legal moves and returns a move, or a promise of one.

globalThis.tafl ??= { player: (_step, moves) => moves[Math.floor(Math.random() * moves.length)] };

/** The move of this tab for a role; always a legal one, whatever its player does. */
export async function tabMove(step, role) {
  const moves = (step.legal?.[role] ?? []).map(({ move }) => move);
  if (!moves.length) return null;
  try {
    const chosen = await globalThis.tafl.player(step, moves, role);
    if (moves.includes(chosen)) return chosen;
    console.warn("tafl.player returned an illegal move:", chosen);
  } catch (error) {
    console.warn("tafl.player failed:", error);
  }
  return moves[0];
}
