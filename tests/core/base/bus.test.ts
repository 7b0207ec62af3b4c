/** What is told reaches the parts that listen for it, in the order in which they joined. */
import { expect, test } from "vitest";
import { createBus } from "../../../src/core/base/bus.ts";

test("each part hears what it has a method for, with itself as this, one after the other", () => {
  const bus = createBus();
  const told: string[] = [];
  class Counter {
    #left = 0;
    left(cid: string): void {
      told.push(`${cid} ${++this.#left}`);
    }
  }
  bus.join(new Counter());
  bus.join({ left: (cid: string) => void told.push(cid), forget: () => void told.push("forget") });
  bus.tell("left", "a:b");
  bus.tell("left", "a:b");
  bus.tell("close");
  bus.tell("forget");
  expect(told).toEqual(["a:b 1", "a:b", "a:b 2", "a:b", "forget"]);
});
