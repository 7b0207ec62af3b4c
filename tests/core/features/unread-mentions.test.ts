/** Mentions among unread messages that no page has brought are looked for once (specification/reading.md §1, R-READ-10). */
import { expect, test } from "vitest";
import { UnreadMentions } from "../../../src/core/features/unread-mentions.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, msg, msgs, silentLog, subject, user } from "../state/world.ts";
import { network } from "../outbox/provider.ts";

const toAda = { mentioned_users: [user("ada")] };
const ownRead = (unread: number, last = 0) => ({
  user: user("ada"),
  last_read: at(last),
  unread_messages: unread,
});

/** Ada's channel with its newest page of ten messages, and the results of a search. */
function searchWorld(found: readonly Message[] | Error, read = ownRead(30), page = msgs(21, 30)) {
  const state = channel(page, { read: [read] });
  const s = subject(state, 10);
  const searches: unknown[] = [];
  let isConnected = true;
  const mentions = new UnreadMentions({
    machine: s.machine,
    clock: s.clock,
    log: silentLog,
    userId: () => "ada",
    isConnected: () => isConnected,
    call: ((name: string, args: unknown) => {
      searches.push([name, args]);
      if (found instanceof Error) return Promise.reject(found);
      return Promise.resolve({ results: found.map((message) => ({ message })) });
    }) as never,
  });
  return {
    ...s,
    searches,
    disconnect: () => (isConnected = false),
    async query(times = 1) {
      for (let n = 0; n < times; n++) mentions.onQueried([state]);
      await s.clock.advance(2000);
    },
    reconnect: () => mentions.onConnected(),
    reset: () => mentions.reset(),
  };
}

test("one search counts the mentions before the loaded page, also for several queries at once", async () => {
  const s = searchWorld([msg(5, toAda), msg(12, toAda), msg(25, toAda)]);
  await s.query(3);
  expect(s.entry().mentions).toBe(3);
  expect(s.searches).toEqual([
    [
      "search",
      {
        query: {
          filter_conditions: { cid: { $in: [CID] } },
          message_filter_conditions: {
            "mentioned_users.id": { $contains: "ada" },
            created_at: { $gt: at(0) },
          },
          sort: [{ field: "created_at", direction: -1 }],
          limit: 100,
        },
      },
    ],
  ]);
});

test("read mentions and mentions of other users are not counted", async () => {
  const s = searchWorld(
    [msg(3, toAda), msg(12, toAda), msg(13, { mentioned_users: [user("bob")] })],
    ownRead(25, 5),
  );
  await s.query();
  expect(s.entry().mentions).toBe(1);
});

test.each([
  ["everything is read", () => searchWorld([], ownRead(0, 30))],
  ["all that is unread is held", () => searchWorld([], ownRead(5, 25))],
  ["the channel has no older messages", () => searchWorld([], ownRead(3), msgs(1, 3))],
])("nothing is searched where %s", async (_, make) => {
  const s = make();
  await s.query();
  expect(s.searches).toEqual([]);
});

test("nothing is searched without a connection or after the user signed out", async () => {
  const off = searchWorld([]);
  off.disconnect();
  await off.query();
  expect(off.searches).toEqual([]);
  const gone = searchWorld([]);
  const querying = gone.query();
  gone.reset();
  await querying;
  expect(gone.searches).toEqual([]);
});

test("a failed search changes nothing, and the next query searches again", async () => {
  const s = searchWorld(network());
  await s.query();
  await s.query();
  expect(s.searches).toHaveLength(2);
  expect(s.entry().mentions).toBe(0);
});

test("a channel is searched once, and again after the connection was lost", async () => {
  const s = searchWorld([msg(5, toAda)]);
  await s.query();
  await s.query();
  expect(s.searches).toHaveLength(1);
  s.reconnect();
  await s.query();
  expect(s.searches).toHaveLength(2);
});

test("every one of many channels is searched, thirty at a time, each time from the earliest unread message on", async () => {
  const s = searchWorld([]);
  const entries = Array.from({ length: 70 }, (_, n) => ({
    ...s.entry(),
    cid: `messaging:c${n}`,
    read: new Map([["ada", ownRead(30, 20 - (n % 20))]]),
  }));
  const searches: {
    query: { filter_conditions: { cid: { $in: string[] } }; message_filter_conditions: object };
  }[] = [];
  const mentions = new UnreadMentions({
    machine: {
      state: () => ({ channels: new Map(entries.map((e) => [e.cid, e])) }),
      apply: () => {},
    } as never,
    clock: s.clock,
    log: silentLog,
    userId: () => "ada",
    isConnected: () => true,
    call: ((_: string, args: never) => {
      searches.push(args);
      return Promise.resolve({ results: [] });
    }) as never,
  });
  mentions.onQueried(entries.map(({ cid }) => ({ channel: { cid } })) as never);
  await s.clock.advance(10_000);
  const searched = searches.flatMap(({ query }) => query.filter_conditions.cid.$in);
  expect(searches.map(({ query }) => query.filter_conditions.cid.$in.length)).toEqual([30, 30, 10]);
  expect(new Set(searched).size).toBe(70);
  expect(searches[0]!.query.message_filter_conditions).toMatchObject({ created_at: { $gt: at(1) } });
});
