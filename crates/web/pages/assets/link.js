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

/** Takes a seat. `on` has step, clock, end, hint, error, down and up. */
export function sit(id, key, on) {
  let socket;
  let tries = 0;
  let over = false;
  const open = () => {
    socket = new WebSocket(socketAddress(`/matches/${encodeURIComponent(id)}/socket${query({ key })}`));
    socket.addEventListener("open", () => {
      tries = 0;
      on.up?.();
    });
    socket.addEventListener("message", (event) => {
      const said = JSON.parse(event.data);
      if (said.type === "end") over = true;
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
    send: (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
    close: () => {
      over = true;
      socket.close();
    },
  };
}
