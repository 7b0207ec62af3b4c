/** Unread counts equal a recount from the history of actions alone (specification/events.md §7). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TestDomain, room, ROOM } from "./support.ts";
import { runs } from "../../support/proof.ts";

const USERS = ["ada", "bob", "cyd"] as const;
const user = fc.constantFrom(...USERS);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send"),
      user,
      silent: fc.boolean(),
      reply: fc.constantFrom(0, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("read"), user, pick: fc.option(fc.nat(), { nil: undefined }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("unread"), user, pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("delete"),
      pick: fc.nat(),
      how: fc.constantFrom("soft", "hard", "me"),
      user,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("mute", "unmute", "clear", "truncate"), user }) },
);

interface ModelMessage {
  id: string;
  author: string;
  seq: number;
  counts: boolean;
  parent: boolean;
  for: Set<string>;
}

test("the unread counts are right after any sequence of sends, reads, deletions, mutes and truncations", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const b = room();
      let seq = 0;
      let all: ModelMessage[] = [];
      const read = new Map<string, number>(USERS.map((id) => [id, 0]));
      const muted = new Set<string>();
      const cleared = new Map<string, number>(USERS.map((id) => [id, 0]));
      for (const s of steps as (Record<string, never> & { do: string; user: string; pick?: number })[]) {
        const listed = all.filter((m) => m.counts && m.seq > (cleared.get(s.user) ?? 0));
        const target = s.pick === undefined ? undefined : listed[s.pick % Math.max(1, listed.length)];
        if (s.do === "send") {
          const { silent, reply } = s as unknown as { silent: boolean; reply: number };
          const parent = listed.find((m) => m.parent);
          const asReply = reply > 0 && parent !== undefined;
          const id = `m${++seq}`;
          b.send(s.user, "room", {
            id,
            text: id,
            silent,
            ...(asReply ? { parent_id: parent.id, show_in_channel: reply === 2 } : {}),
          });
          const counts = !silent && (!asReply || reply === 2);
          const to = new Set(counts ? USERS.filter((u) => u !== s.user && !muted.has(u)) : []);
          all.push({ id, author: s.user, seq, counts: !asReply || reply === 2, parent: !asReply, for: to });
        } else if (s.do === "read") {
          if (s.pick !== undefined && !target) continue;
          b.call(s.user, "markRead", { path: ROOM, body: target ? { message_id: target.id } : {} });
          read.set(s.user, target ? target.seq : seq);
        } else if (s.do === "unread") {
          if (!target) continue;
          b.call(s.user, "markUnread", { path: ROOM, body: { message_id: target.id } });
          read.set(s.user, target.seq - 0.5);
        } else if (s.do === "delete") {
          if (!target) continue;
          const { how } = s as unknown as { how: string };
          const input = {
            path: { id: target.id },
            query: how === "hard" ? { hard: "true" } : how === "me" ? { delete_for_me: "true" } : {},
          };
          if (how === "me") {
            b.call(s.user, "deleteMessage", input as never);
            target.for.delete(s.user);
          } else {
            b.call({ server: true, user: target.author }, "deleteMessage", input as never);
            target.for.clear();
            if (how === "hard") {
              const deleted = new Set([target.id, ...(target.parent ? deletedIds(b, all) : [])]);
              all = all.filter((m) => !deleted.has(m.id));
            }
          }
        } else if (s.do === "mute" || s.do === "unmute") {
          b.call(s.user, s.do === "mute" ? "muteChannel" : "unmuteChannel", {
            body: { channel_cid: "messaging:room" },
          });
          if (s.do === "mute") muted.add(s.user);
          else muted.delete(s.user);
        } else if (s.do === "clear") {
          b.call(s.user, "hideChannel", { path: ROOM, body: { clear_history: true } });
          b.call(s.user, "showChannel", { path: ROOM });
          read.set(s.user, seq);
          cleared.set(s.user, seq);
        } else {
          b.call({ server: true, user: "ada" }, "truncateChannel", { path: ROOM });
          all = [];
          for (const id of USERS) read.set(id, seq);
        }
        for (const id of USERS) {
          const expected = all.filter((m) => m.seq > read.get(id)! && m.for.has(id)).length;
          expect({ id, n: b.unread("messaging:room", id), after: s.do }).toEqual({
            id,
            n: expected,
            after: s.do,
          });
        }
      }
    }),
    { numRuns: runs(120, 30), seed: 3 },
  );
});

/** Ids of the model's messages that the database no longer has: replies deleted together with their parent. */
function deletedIds(b: TestDomain, all: ModelMessage[]): string[] {
  return all.filter((m) => !b.db.get("SELECT 1 FROM messages WHERE id = ?", m.id)).map(({ id }) => id);
}

describe("reading and delivery", () => {
  test("markRead sends events with counters to the watchers and the reader", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    b.events = [];
    const { event } = b.call("bob", "markRead", { path: ROOM }) as { event: object };
    expect(event).toMatchObject({
      type: "message.read",
      cid: "messaging:room",
      last_read_message_id: "m",
      user: { id: "bob" },
    });
    expect(b.takeEvents()).toEqual(["W message.read", "U notification.mark_read bob"]);
  });

  test("a user without read receipts gets the event alone, and others do not see its read state", () => {
    const b = room();
    b.user("cyd", { privacy_settings: { read_receipts: { enabled: false } } });
    b.call("cyd", "markRead", { path: ROOM });
    expect(b.events[0]!.only).toEqual(["cyd"]);
    const readers = (as: string): string[] =>
      (b.call(as, "queryChannel", { path: ROOM }).read as { user: { id: string } }[]).map((r) => r.user.id);
    expect(readers("ada")).toEqual(["ada", "bob"]);
    expect(readers("cyd")).toEqual(["ada", "bob", "cyd"]);
  });

  test("markUnread from a message sets count, first and last message, and accepts the last hundred messages only", () => {
    const b = room();
    for (let i = 0; i < 102; i++) b.send("ada", "room", { id: `m${i}`, text: "x" });
    b.call("bob", "markRead", { path: ROOM });
    b.events = [];
    b.call("bob", "markUnread", { path: ROOM, body: { message_id: "m50" } });
    expect(b.events[0]!.event).toMatchObject({
      first_unread_message_id: "m50",
      last_read_message_id: "m49",
      unread_messages: 52,
      total_unread_count: 52,
      unread_channels: 1,
    });
    const timeOf = (id: string): string =>
      (b.call("bob", "getMessage", { path: { id } }).message as { created_at: string }).created_at;
    // Of 102 messages, m2 is the hundredth from the end.
    const bodies = (id: string) => [{ message_id: id }, { message_timestamp: timeOf(id) }];
    for (const body of bodies("m1"))
      expect(b.refusalOf("bob", "markUnread", { path: ROOM, body })).toEqual([4, Object.keys(body)[0]]);
    for (const body of bodies("m2")) {
      b.events = [];
      b.call("bob", "markUnread", { path: ROOM, body });
      expect(b.events[0]!.event).toMatchObject({ first_unread_message_id: "m2", unread_messages: 100 });
    }
    expect(b.refusalOf("bob", "markUnread", { path: ROOM })).toEqual([4, "message_id"]);
  });

  test("marking all channels read sends one notification without a cid", () => {
    const b = room();
    b.channel("two", "ada", ["ada", "bob"]);
    b.send("ada", "room", { text: "x" });
    b.send("ada", "two", { text: "x" });
    b.events = [];
    b.call("bob", "markChannelsRead");
    expect(b.events.filter(({ to }) => to === "W")).toHaveLength(2);
    const mark = b.events.at(-1)!;
    expect(mark.event).toMatchObject({ type: "notification.mark_read", total_unread_count: 0 });
    expect(mark.cid).toBeUndefined();
    expect(b.call("bob", "getUnread")).toMatchObject({
      total_unread_count: 0,
      channels: [],
      channel_type: [],
    });
  });

  test("the delivery position moves forward only", () => {
    const b = room();
    for (const id of ["x", "y"]) b.send("ada", "room", { id, text: id });
    b.events = [];
    const deliver = (as: string, id: string): void =>
      void b.call(as, "markDelivered", {
        body: { latest_delivered_messages: [{ cid: "messaging:room", id }] },
      });
    deliver("bob", "y");
    deliver("bob", "x");
    expect(b.events.map(({ event }) => event.last_delivered_message_id)).toEqual(["y"]);
    b.call("bob", "markRead", { path: ROOM, body: { message_id: "x" } });
    const { read } = b.call("ada", "queryChannel", { path: ROOM, body: { state: true } }) as {
      read: { user: { id: string } }[];
    };
    expect(read.find(({ user }) => user.id === "bob")).toMatchObject({
      last_read_message_id: "x",
      last_delivered_message_id: "y",
    });
    expect(b.refusalOf("bob", "markDelivered", { body: { latest_delivered_messages: [] } })).toEqual([
      4,
      "latest_delivered_messages",
    ]);
  });

  test("a pending invite counts nothing until it is accepted", () => {
    const b = room();
    b.call("ada", "updateChannel", { path: ROOM, body: { invites: ["dan"] } });
    b.send("ada", "room", { text: "1" });
    expect(b.unread("messaging:room", "dan")).toBe(0);
    b.call("dan", "updateChannel", { path: ROOM, body: { accept_invite: true } });
    b.send("ada", "room", { text: "2" });
    expect(b.unread("messaging:room", "dan")).toBe(1);
  });
});
