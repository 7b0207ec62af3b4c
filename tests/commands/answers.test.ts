/** How commands use answers and arguments: summed numbers, ends of bans, and poll options by name or index. */
import { expect, test } from "vitest";
import { fillArgs } from "../../src/commands/base/args.ts";
import { commands } from "../support/commands.ts";
import { liveLocationEnd } from "../../src/commands/location/position.ts";
import { minutesUntil } from "../../src/commands/member/ban-members.ts";
import leave from "../../src/commands/channel/leave.ts";
import { readTextFile } from "../../src/commands/base/json.ts";
import preferences from "../../src/commands/push/preferences.ts";
import { textOf } from "../../src/commands/base/text.ts";
import { optionOf } from "../../src/commands/poll/find-poll.ts";
import unread from "../../src/commands/unread.ts";
import type { Poll } from "../../src/wire/entities/poll.ts";

test.each([
  [{ total: true }, 2],
  [{ total: true, threads: true }, 5],
])("unread %j prints %i", async (args, sum) => {
  const reply = { total_unread_count: 2, total_unread_threads_count: 3, channels: [], threads: [] };
  const rows: unknown[] = [];
  const call = { args, core: { call: async () => reply } } as never;
  for await (const row of unread.run(call) as AsyncIterable<unknown>) rows.push(row);
  expect(rows).toEqual([{ unread: sum }]);
});

test.each([
  ["2026-11-22T12:00:01Z", 1],
  ["2026-11-22T12:01:00Z", 1],
  ["2026-11-22T12:01:30Z", 2],
  ["2026-11-22T14:00:00Z", 120],
])("a ban until %s lasts %i whole minutes, so that it does not end early", (until, timeout) => {
  const ms = Date.parse(until) - Date.parse("2026-11-22T12:00:00Z");
  expect(minutesUntil({ at: until, ms })).toEqual({ timeout });
});

test.each([
  ["channel mute", "--until 1m", { expiration: 60_000 }],
  ["user mute", "--until 1m", { timeout: 1 }],
  ["member ban", "--until 1m", { timeout: 1 }],
])("%s %s sends one whole minute, even if the request is made later", async (path, _, expectedFields) => {
  const { args, run } = commands[path]!;
  const raw = { channel: "messaging:ops", users: ["bo"], user: "bo", until: "1m" };
  const bodies: object[] = [];
  const core = { call: async (_name: string, { body }: { body: object }) => void bodies.push(body) };
  const call = {
    args: fillArgs(args, raw, { channelType: "messaging", now: 0 }),
    core,
    now: () => 1500,
    signal: new AbortController().signal,
  };
  // The result does not matter: the request has been made by then.
  await (async () => {
    const result = run(call as never);
    if (Symbol.asyncIterator in result) for await (const _item of result);
    else await result;
  })().catch(() => {});
  expect(bodies).toEqual([expect.objectContaining(expectedFields)]);
});

test("a live location for one minute is accepted, whatever the current time is", () => {
  const { args } = commands["location share"]!;
  const raw = { channel: "messaging:ops", position: "1,2", for: "1m" };
  const values = fillArgs(args, raw, { channelType: "messaging", now: 0 });
  expect(liveLocationEnd(values.for as never)).toBe("1970-01-01T00:01:00.000Z");
});

test("a poll option is found by its id, then its text, then its number", () => {
  const options = ["10", "2", "Soup", "1"].map((text, i) => ({ id: `id-${i}`, text }));
  const idOfOption = (wanted: string): string => optionOf({ options } as Poll, wanted).id;
  expect(["id-3", "2", "1", " SOUP ", "3", "4"].map(idOfOption)).toEqual([
    "id-3",
    "id-1",
    "id-3",
    "id-2",
    "id-2",
    "id-3",
  ]);
  for (const none of ["0", "5", "tea"]) expect(() => idOfOption(none)).toThrow("has no option");
});

test("commands that need a user or standard input fail with a usage error without them", async () => {
  const callWithoutUser = {
    args: { channel: "team:a" },
    core: {},
    page: { limit: 1 },
    now: () => 0,
  } as never;
  for (const run of [leave.run, preferences.run])
    await expect((async () => run(callWithoutUser))()).rejects.toMatchObject({
      kind: "usage",
      hint: "Add --as <user>.",
    });
  for (const read of [textOf({}, "-"), readTextFile({}, "-")])
    await expect(read).rejects.toMatchObject({ kind: "usage", message: "There is no standard input here." });
});
