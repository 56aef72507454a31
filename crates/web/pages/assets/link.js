// Messages from a running match: for spectators by Server-Sent Events, for a seat by a
// WebSocket. Both reconnect when the connection breaks.

import { address, query, socketAddress } from "./api.js";

const RETRY = [500, 1000, 2000, 5000, 10000];

/** Watches a match from one view. `on` has step, clock, end, down and up. */
export function watch(id, view, key, on) {
  const source = new EventSource(address(`/matches/${encodeURIComponent(id)}/events${query({ view, key })}`));
  const heard = (name) => source.addEventListener(name, (event) => on[name]?.(JSON.parse(event.data)));
  ["step", "clock", "end"].forEach(heard);
  source.addEventListener("end", () => source.close());
  source.addEventListener("open", () => on.up?.());
  source.addEventListener("error", () => source.readyState !== EventSource.CLOSED && on.down?.());
  return { close: () => source.close() };
}

/**
 * Takes a seat. `on` has step, clock, end, hint, error, down and up.
 *
 * A move is kept until a later step shows that it was made. If the connection breaks before that, it is sent
 * again when the match turns out to be at the same step; the service makes one move per step, so it is never
 * made twice. Everything else that cannot be sent is refused: `send` returns false.
 */
export function sit(id, key, on) {
  let socket;
  let tries = 0;
  let over = false;
  let kept = null;
  let fresh = false;
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const arrived = (step) => {
    if (kept && kept.step !== step.number) kept = null;
    // The first step of a connection says where the match is.
    if (kept && fresh) socket.send(JSON.stringify(kept));
    fresh = false;
  };
  const open = () => {
    socket = new WebSocket(socketAddress(`/matches/${encodeURIComponent(id)}/socket${query({ key })}`));
    socket.addEventListener("open", () => {
      tries = 0;
      fresh = true;
      on.up?.();
    });
    socket.addEventListener("message", (event) => {
      const said = JSON.parse(event.data);
      if (said.type === "end") over = true;
      if (said.type === "error") kept = null;
      if (said.type === "step") arrived(said.step);
      on[said.type]?.(said.type === "step" ? said.step : said.type === "error" ? said.message : said);
    });
    socket.addEventListener("close", () => {
      if (over) return;
      on.down?.();
      setTimeout(() => !over && open(), RETRY[Math.min(tries++, RETRY.length - 1)]);
    });
  };
  open();
  return {
    send: (message) => {
      if (message.type === "move") kept = message;
      if (isOpen()) socket.send(JSON.stringify(message));
      return isOpen() || message.type === "move";
    },
    close: () => {
      over = true;
      socket.close();
    },
  };
}
