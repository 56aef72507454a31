// Finds the moves that are meant when cells are chosen one after another.
//
// A choice is {role, move, label, cells}: the cells that the move names, from
// first to last. A path of chosen cells means all choices whose cells begin with it.

/** The choices that remain after a path of cells, and the cells that can come next. */
export function narrow(choices, path) {
  const left = choices.filter(({ cells }) => cells.length >= Math.max(path.length, 1) && path.every((cell, i) => cells[i] === cell));
  return {
    left,
    complete: left.filter(({ cells }) => cells.length === path.length),
    next: new Set(left.filter(({ cells }) => cells.length > path.length).map(({ cells }) => cells[path.length])),
  };
}

/**
 * What choosing `cell` does: {play}, {ask} (several moves are meant), {path}
 * (more cells are needed), or {path: []} if no move names the cell.
 */
export function choose(choices, path, cell) {
  const longer = narrow(choices, [...path, cell]);
  if (longer.left.length === 0) {
    // Not a continuation: the same cell again clears the path, another one starts a new path.
    if (path.length === 0 || path[path.length - 1] === cell) return { path: [] };
    return choose(choices, [], cell);
  }
  if (longer.next.size > 0) return { path: [...path, cell], ask: longer.complete };
  return longer.complete.length === 1 ? { path: [], play: longer.complete[0] } : { path: [...path, cell], ask: longer.complete };
}

/** The choices whose text contains all words of a search. */
export function matching(choices, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return choices;
  return choices.filter(({ move, label, role }) => {
    const text = `${move} ${label ?? ""} ${role ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
