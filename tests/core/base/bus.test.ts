/** An event of the bus reaches the parts that have a method for it, in the order in which they joined. */
import { expect, test } from "vitest";
import { createBus } from "../../../src/core/base/bus.ts";

test("an event calls the method of every part that has one, in joining order and with the part as `this`", () => {
  const bus = createBus();
  const calls: string[] = [];
  class Counter {
    #left = 0;
    onLeft(cid: string): void {
      calls.push(`${cid} ${++this.#left}`);
    }
  }
  bus.join(new Counter());
  bus.join({ onLeft: (cid: string) => void calls.push(cid), reset: () => void calls.push("reset") });
  bus.emit("onLeft", "a:b");
  bus.emit("onLeft", "a:b");
  bus.emit("close");
  bus.emit("reset");
  expect(calls).toEqual(["a:b 1", "a:b", "a:b 2", "a:b", "reset"]);
});
