/** Random faults and crashes: every send arrives once and in order, and every row ends (D1–D5). */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CID } from "../state/world.ts";
import { outboxWorld, network, refusal, type Fault } from "./provider.ts";

const OTHER = "messaging:other";

const fault = fc.constantFrom<(() => Fault)[]>(
  () => undefined,
  () => undefined,
  () => network(),
  () => network(true),
  () => ({ after: network() }),
  () => ({ after: refusal(502, -1) }),
  () => refusal(500, -1),
  () => refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset: 0 } }),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("send" as const), other: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
);

test("with random faults and crashes no message is lost or sent twice, and each channel keeps its order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(fault, { maxLength: 20 }),
      fc.boolean(),
      async (steps, faults, socket) => {
        let b = outboxWorld({ cids: [CID, OTHER] });
        const listen = (): void => {
          if (!socket) b.provider.deliver = undefined;
        };
        listen();
        b.provider.faults = faults.map((make) => make());
        const sent = new Map<string, string[]>([
          [CID, []],
          [OTHER, []],
        ]);
        let n = 0;
        for (const each of steps) {
          if (each.do === "send") {
            const cid = each.other ? OTHER : CID;
            sent.get(cid)!.push(b.outbox.send({ cid }, { text: `${n++}` }).id);
          } else if (each.do === "wait") await b.clock.advance(each.ms);
          else {
            b = b.crash();
            listen();
          }
        }
        await b.clock.advance(240_000);
        expect(b.store.outbox()).toEqual([]);
        expect(b.provider.channelOverlap && steps.every((s) => s.do !== "crash")).toBe(false);
        for (const [cid, ids] of sent) {
          const stored = b.provider.stored.filter((id) => b.provider.messages.get(id)!.cid === cid);
          expect(stored).toEqual(ids);
        }
        await b.outbox.close();
        b.machine.close();
      },
    ),
    { numRuns: 60 },
  );
});
