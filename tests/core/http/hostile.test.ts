/** Malformed answers to every call become errors with a message, never a crash, a loop or high memory use. */
import { expect, test } from "vitest";
import { isExcessive, parseBounded } from "../../../src/wire/bounded-json.ts";
import { decodeReply } from "../../../src/core/http/decode.ts";
import { receivedLength } from "../../../src/wire/reading.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../../src/wire/endpoints/index.ts";
import { isPromised, rowsOf, sample } from "../../support/wrong-values.ts";

const names = Object.keys(endpoints) as EndpointName[];
const answerRows = (name: EndpointName) => rowsOf((endpoints[name] as EndpointRow).answer?.() ?? {});
const validReply = (name: EndpointName, bare = false): Record<string, unknown> =>
  Object.fromEntries(answerRows(name).map(([key, field]) => [key, sample(field, 0, bare)]));

/** The result of a call that is answered with this text and status 200. */
function outcomeOf(name: EndpointName, text: string): string {
  try {
    decodeReply(name, { status: 200, headers: {}, text }, "r1");
    return "taken";
  } catch (error) {
    const { name: kind, code, message } = error as Error & { code?: string };
    expect([kind, code]).toEqual(["TransportError", "ERR_BAD_RESPONSE"]);
    expect(message).not.toMatch(/undefined|null|is not a function|Cannot read/);
    return message;
  }
}

test("a correct answer is accepted, also with unknown keys", () => {
  for (const name of names)
    expect([name, outcomeOf(name, JSON.stringify({ ...validReply(name), more: { of: "it" } }))]).toEqual([
      name,
      "taken",
    ]);
});
test.each(["", "<html>", "{", '{"a":'])("%s is an invalid answer to every call", (text) => {
  for (const name of names) expect([name, outcomeOf(name, text)]).not.toEqual([name, "taken"]);
});
/** Calls that change something: answered, they are done. */
const isWrite = (name: EndpointName): boolean =>
  !endpoints[name].safe && endpoints[name].op !== "GetOrCreateChannel";
test.each(["[]", "null", '"text"', "1"])("%s is an invalid answer to a read, and a write is done", (text) => {
  for (const name of names) expect([name, outcomeOf(name, text) === "taken"]).toEqual([name, isWrite(name)]);
});
const promised = names.filter((name) => answerRows(name).some(([, field]) => isPromised(field)));

test("{} is refused where a read needs keys", () => {
  const reads = promised.filter((name) => !isWrite(name));
  expect(reads.length).toBeGreaterThan(50);
  for (const name of reads)
    expect([name, outcomeOf(name, "{}")]).toEqual([name, expect.stringMatching(/ is missing$/)]);
});
test("a write that is answered is done, whatever the answer lacks, and what it lacks is counted", () => {
  const writes = promised.filter(isWrite);
  expect(writes.length).toBeGreaterThan(40);
  for (const name of writes) {
    const noted: string[] = [];
    const reply = { status: 201, headers: {}, text: "{}" };
    decodeReply(name, reply, "r1", { note: (field) => noted.push(field) });
    expect([name, noted.length > 0]).toEqual([name, true]);
  }
});
test("null in place of a required list is an empty list (specification/wire.md §5)", () => {
  let tried = 0;
  for (const name of names)
    for (const [key, field] of answerRows(name)) {
      if (field.kind !== "list" || !isPromised(field)) continue;
      tried++;
      const text = JSON.stringify({ ...validReply(name, true), [key]: null });
      expect(decodeReply(name, { status: 200, headers: {}, text }, "r")).toMatchObject({ [key]: [] });
    }
  expect(tried).toBeGreaterThan(25);
});
test("the one key that a read is about is refused by its name when it is of the wrong kind", () => {
  let tried = 0;
  for (const name of names) {
    const rows = answerRows(name).filter(([, field]) => isPromised(field));
    if (isWrite(name) || rows.length !== 1) continue;
    const [key, field] = rows[0]!;
    for (const wrong of [5, "x", {}, true]) {
      const right: unknown = JSON.parse(JSON.stringify(sample(field, 0, true)));
      if (typeof wrong === typeof right && !Array.isArray(right)) continue;
      tried++;
      expect([name, outcomeOf(name, JSON.stringify({ [key]: wrong }))]).toEqual([
        name,
        expect.stringContaining(key),
      ]);
    }
  }
  expect(tried).toBeGreaterThan(100);
});

/** Reads the answer to QueryChannels with one channel, after `change`; what was odd is in `noted`. */
function readChannels(change: (state: Record<string, unknown>) => void) {
  const { channels } = validReply("queryChannels") as { channels: Record<string, unknown>[] };
  change(channels[0]!);
  const noted: string[] = [];
  const reply = { status: 200, headers: {}, text: JSON.stringify({ channels }) };
  const read = decodeReply("queryChannels", reply, "r", { note: (field) => noted.push(field) });
  return { channels: read.channels as Record<string, Record<string, unknown>[]>[], noted };
}
const firstOf = (state: Record<string, unknown>, list: string): Record<string, unknown> =>
  (state[list] as Record<string, unknown>[])[0]!;

test("a missing list of an entity is empty, and an entity without its identity is left out", () => {
  expect(readChannels((state) => delete state.messages)).toMatchObject({
    channels: [{ messages: [] }],
    noted: ["channels.messages"],
  });
  const without = readChannels((state) => delete state.channel);
  expect(without).toEqual({ channels: [], noted: ["channels.channel is missing"] });
  expect(receivedLength(without.channels)).toBe(1);
});
test("a message without its user is kept as of an unknown person, and one without an id is left out", () => {
  const unknown = readChannels((state) => (firstOf(state, "messages").user = null));
  expect(unknown).toMatchObject({
    channels: [{ messages: [{ user: { name: "unknown person" } }] }],
    noted: ["messages.user"],
  });
  const nameless = readChannels((state) => delete firstOf(state, "messages").id);
  expect(nameless.channels[0]!.messages).toEqual([]);
  expect(receivedLength(nameless.channels[0]!.messages!)).toBe(1);
});
test("a cid comes from the channel, and the user of a member from either form", () => {
  const { channels, noted } = readChannels((state) => {
    delete firstOf(state, "messages").cid;
    delete firstOf(state, "members").user_id;
  });
  const { channel, messages, members } = channels[0]! as unknown as {
    channel: { cid: string };
    messages: { cid: string }[];
    members: { user_id: string; user: { id: string } }[];
  };
  expect(messages[0]!.cid).toBe(channel.cid);
  expect(members[0]!.user_id).toBe(members[0]!.user.id);
  expect(noted.toSorted()).toEqual(["members.user_id", "messages.cid"]);
});
test("numbers as texts, flags as numbers and empty objects as lists are read, and counted", () => {
  const { channels, noted } = readChannels((state) =>
    Object.assign(state, {
      watcher_count: "5",
      channel: { ...(state.channel as object), frozen: 1 },
      messages: [{ ...firstOf(state, "messages"), reaction_groups: [] }],
    }),
  );
  expect(channels).toMatchObject([
    { watcher_count: 5, channel: { frozen: true }, messages: [{ reaction_groups: {} }] },
  ]);
  expect(noted.length).toBe(3);
});
test("deep or oversized JSON is refused before parsing", () => {
  for (const text of [
    "[".repeat(6_000_000),
    `{"a":${"[".repeat(200)}`,
    '{"a":'.repeat(100_000),
    `[${"[],".repeat(2_000_000)}0]`,
  ]) {
    const before = process.memoryUsage().heapUsed;
    expect(parseBounded(text)).toBeUndefined();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20);
  }
});
test("brackets inside strings do not count as depth", () => {
  const value = { a: `${"[".repeat(500)}\\"${"{".repeat(500)}`, b: '\\\\"' };
  expect(isExcessive(JSON.stringify(value))).toBe(false);
  expect(parseBounded(JSON.stringify(value))).toEqual(value);
});
