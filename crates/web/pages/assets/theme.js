// Applies the chosen colour theme before anything is painted. This is a classic script in
// the head on purpose: a module would run after the first paint.
"use strict";
try {
  const chosen = localStorage.getItem("tafl.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the system's preference applies.
}
