/** A failed chaos run reports what each side holds and the events that led to it, limited to the messages concerned. */
import { expect, test } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { channel, isNew, msg, msgs, subject } from "../core/state/world.ts";
import { describeState, Recorder } from "./chaos-report.ts";

const one = "ada-00000000-0000-4000-8000-000000000001";
const other = "ada-00000000-0000-4000-8000-000000000002";

test("a report contains the events of the messages that a failure names, of links and of faults, in order", async () => {
  const { machine } = subject(channel(msgs(1, 2), { cid: "messaging:a" }));
  const record = new Recorder();
  record.follow(
    "ben",
    { on: machine.on, subscribe: machine.subscribe, state: machine.state } as Core,
    () => true,
  );
  record.note("ben", "fault the provider is killed");
  machine.apply({ kind: "link", link: { phase: "waiting", reason: "the connection broke" } });
  await Promise.resolve();
  for (const id of [one, other]) machine.dispatch([isNew(msg(3, { id, cid: "messaging:a" }))]);
  const lines = record.about([`ben messaging:a: ${one} has reactions "", the provider says "wow:1" (D7)`]);
  expect(lines.map((line) => line.replace(/^ *\d+ /, ""))).toEqual([
    "ben: fault the provider is killed",
    "ben: link waiting: the connection broke",
    expect.stringMatching(`^ben: message.new .* messaging:a bob ${one} text 3`),
  ]);
  expect(record.about(["ben messaging:a: unread 2, the provider says 3 (D9)"])).toHaveLength(4);
});

test("a report lists the loaded messages of the channels that the failure names, with gaps and deleted messages", () => {
  const s = subject(channel([msg(1), msg(2, { type: "deleted" })], { cid: "messaging:a" }), 2);
  s.machine.apply({
    kind: "channels",
    states: [channel([], { cid: "messaging:b" })],
    messageLimit: 2,
    watched: true,
  });
  expect(
    describeState("ben", s.machine.state(), ["ben messaging:a: unread 1, the provider says 2 (D9)"]),
  ).toEqual(["ben messaging:a: unread 0, read ", "  … m1 m2✗"]);
});
