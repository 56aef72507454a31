// Clocks that keep counting between messages of the service.

export class Clocks {
  #left = new Map();
  #show;

  /** `show(role, text, short)` is called whenever the display of a clock changes. */
  constructor(show) {
    this.#show = show;
    setInterval(() => this.#draw(), 250);
  }

  set({ role, left_ms: left }) {
    if (left === null || left === undefined) this.#left.delete(role);
    else this.#left.set(role, performance.now() + left);
    this.#draw();
  }

  stop() {
    for (const role of this.#left.keys()) this.#show(role, "", false);
    this.#left.clear();
  }

  #draw() {
    for (const [role, until] of this.#left) {
      // The service does not report that a role has answered, so a clock that ran out a while ago is removed.
      if (performance.now() - until > 1500) {
        this.#left.delete(role);
        this.#show(role, "", false);
        continue;
      }
      const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      this.#show(role, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`, seconds <= 5);
    }
  }
}
