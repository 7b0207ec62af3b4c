/** One long-poll session as the client holds it: what it says has arrived, and when a session may be polled again (realtime.md §11, D6). */
import { expect, test } from "vitest";
import { createEventReader } from "../../../src/core/live/attempt.ts";
import type { Hello } from "../../../src/core/live/attempt.ts";
import { openLongPoll } from "../../../src/core/live/longpoll.ts";
import type { Taken } from "../../../src/core/live/longpoll.ts";
import { TransportError } from "../../../src/core/errors.ts";
import { fakeLog } from "../../support/fake-ports.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

type Query = Record<string, unknown>;

/** Polls in turn get these answers; after the last one they hang. */
function attempts(...answers: (Query | "lost")[]) {
  const clock = new VirtualClock();
  const asked: Query[] = [];
  const hellos: Hello[] = [];
  const taken: Taken = {};
  let sessions = 0;
  let ended = 0;
  const call = (name: string, { query = {} }: { query?: Query } = {}): Promise<unknown> => {
    if (name === "hi") return Promise.resolve({});
    asked.push(query);
    if (query.json !== undefined)
      return Promise.resolve({
        event: { type: "health.check", connection_id: `s${++sessions}`, me: { id: "mira" } },
        events: [],
      });
    const answer = answers.shift();
    if (answer === undefined) return new Promise(() => undefined);
    return answer === "lost"
      ? Promise.reject(new TransportError("ETIMEDOUT", "no answer in time"))
      : Promise.resolve(answer);
  };
  const begin = async (session?: string): Promise<void> => {
    openLongPoll(
      { call: call as never, clock, reader: createEventReader({ clock, log: fakeLog() }), taken },
      { payload: "{}", ...(session !== undefined && { session }) },
      {
        opened: (hello) => hellos.push(hello),
        events: () => undefined,
        alive: () => undefined,
        healthCheck: () => undefined,
        polled: () => undefined,
        ended: () => (ended += 1),
      },
    );
    await clock.advance(1000);
  };
  return { begin, asked, hellos, ended: () => ended };
}

test("each poll says up to which event the answers have arrived", async () => {
  const at = attempts({ events: [{ type: "a" }], last: 1 }, { events: [{ type: "b" }], last: 2 });
  await at.begin();
  expect(at.asked.slice(1).map(({ after }) => after)).toEqual([0, 1, 2]);
});

test("a session of a provider that counts is polled again after a lost answer, from where it was", async () => {
  const at = attempts({ events: [{ type: "a" }], last: 1 }, "lost");
  await at.begin();
  expect(at.ended()).toBe(1);
  await at.begin("s1");
  expect(at.hellos.at(-1)).toMatchObject({ connectionId: "s1", resumed: true });
  expect(at.asked.at(-1)).toEqual({ connection_id: "s1", after: 1 });
});

test("a provider that does not count gets a new session: the lost poll may still arrive there and eat what comes", async () => {
  const at = attempts({ events: [{ type: "a" }] }, "lost");
  await at.begin();
  await at.begin("s1");
  expect(at.hellos.at(-1)).toMatchObject({ connectionId: "s2", resumed: false });
});
