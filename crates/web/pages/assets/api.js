// Requests to the service. Error responses become exceptions.

import { h } from "./dom.js";

const ROOT = "/api/v1";

/** An error response of the service. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const address = (path) => ROOT + path;
export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, body = {}) => ask("POST", path, body);

async function ask(method, path, body, options = {}) {
  let answer;
  try {
    answer = await fetch(ROOT + path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "unreachable", "The service does not respond. Is `tafl serve` still running?");
  }
  if (answer.status === 401 && (await token())) return ask(method, path, body, options);
  const text = await answer.text();
  let said = null;
  try {
    said = JSON.parse(text);
  } catch {
    // Not JSON: only the status is known.
  }
  if (answer.ok) return said ?? text;
  const error = said?.error ?? {};
  throw new Refusal(answer.status, error.code ?? "failed", error.message ?? `The service answered with status ${answer.status}.`);
}

/** Asks for the token of the service; resolves to whether it was accepted. */
function token() {
  return new Promise((resolve) => {
    const field = h("input", { type: "password", autocomplete: "current-password", id: "token" });
    const dialog = h("dialog", { "aria-labelledby": "token-title" },
      h("form", { method: "dialog", class: "stack" },
        h("h2", { id: "token-title" }, "This service requires a token"),
        h("p", { class: "quiet" }, "It was printed in the terminal when the service was started."),
        h("label", { class: "field", for: "token" }, "Token", field),
        h("div", { class: "row" }, h("button", { class: "main", value: "yes" }, "Continue"), h("button", { value: "no" }, "Cancel"))));
    dialog.addEventListener("close", async () => {
      dialog.remove();
      if (dialog.returnValue !== "yes" || !field.value) return resolve(false);
      const answer = await fetch(`${ROOT}/config?token=${encodeURIComponent(field.value)}`).catch(() => null);
      resolve(Boolean(answer?.ok));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** The query string of the values that are set, including the question mark. */
export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/** The address of a WebSocket of the service. */
export function socketAddress(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${ROOT}${path}`;
}
