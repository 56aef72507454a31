// The connection of a seat, with a socket that breaks when the test wants it to.

import assert from "node:assert/strict";

export async function a_move_made_while_the_connection_is_down_is_sent_once_it_is_back(table) {
  const who = await table.person();
  await who.go("/help");
  const found = await who.page.evaluate(async () => {
    const all = [];
    class Fake extends EventTarget {
      static OPEN = 1;
      readyState = 0;
      sent = [];
      constructor() {
        super();
        all.push(this);
      }
      send(text) {
        this.sent.push(JSON.parse(text));
      }
      close() {}
      turn(state, name) {
        this.readyState = state;
        this.dispatchEvent(new Event(name));
      }
      at(number) {
        this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ type: "step", step: { number } }) }));
      }
    }
    globalThis.WebSocket = Fake;
    const { sit } = await import("/assets/link.js");
    const again = async (count) => {
      while (all.length < count) await new Promise((done) => setTimeout(done, 20));
      all[count - 1].turn(1, "open");
      return all[count - 1];
    };
    const link = sit("match", "key", {});
    const first = await again(1);
    first.at(0);
    first.turn(3, "close");
    const taken = [link.send({ type: "move", step: 0, move: "a" }), link.send({ type: "hint" })];
    const second = await again(2);
    second.at(0);
    second.at(1);
    // This one arrives, but the connection breaks before the next step.
    link.send({ type: "move", step: 1, move: "b" });
    second.turn(3, "close");
    const third = await again(3);
    third.at(2);
    third.at(3);
    link.close();
    return { taken, sent: [first, second, third].map(({ sent }) => sent.map(({ move }) => move)) };
  });
  assert.deepEqual(found, { taken: [true, false], sent: [[], ["a", "b"], []] });
  await who.context.close();
}
