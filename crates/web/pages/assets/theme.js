// Sets the palette a person chose before anything is painted. A classic script
// in the head on purpose: a module would run after the first paint.
"use strict";
try {
  const chosen = localStorage.getItem("tafl.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's wish holds then.
}
