/** Edge cases: echoes within the range of a page, the last message of an unread number, a read mark before the first message. */
import { describe, expect, test } from "vitest";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, event, isNew, me, msg, msgs, subject, user, type Subject } from "./world.ts";

/** The row of an unsent message, written at this second of the local clock. */
const row = (id: string, seconds: number): OutboxRow => ({
  seq: seconds,
  messageId: id,
  cid: CID,
  action: { kind: "send", message: { id, text: id }, options: {} },
  state: "queued",
  tries: 0,
  owner: "1:1",
  createdAt: Date.parse(at(seconds)),
});

/** A channel with two echoes, one of them refused, between messages of others. */
function withUnsent(): Subject {
  const s = subject(channel(msgs(90_000, 90_002)), 6);
  for (const each of [row("waits", 90_005), row("refused", 90_006)])
    s.machine.apply({ kind: "queued", row: each, user: user("ada"), fresh: true });
  s.machine.apply({
    kind: "rejected",
    row: { ...row("refused", 90_006), state: "failed", error: { message: "no" } },
  });
  s.machine.dispatch(msgs(90_010, 90_012).map(isNew));
  return s;
}
const unsentIds = (s: Subject): string[] => s.shown().filter((id) => !id.startsWith("m"));

describe("unsent messages of the current user", () => {
  test("stay when pages are loaded around, before and after them", () => {
    const s = withUnsent();
    expect(unsentIds(s)).toEqual(["waits", "refused"]);
    const page = (pagination: object, messages: Message[]): void =>
      s.machine.apply({ kind: "page", cid: CID, messages, pagination: { ...pagination, limit: 25 } });
    page({ id_around: "m90002" }, [...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    page({ id_lt: "m90012" }, [...msgs(90_000, 90_002), ...msgs(90_010, 90_011)]);
    page({ id_gt: "m90000" }, [...msgs(90_001, 90_002), ...msgs(90_010, 90_012)]);
    page({}, [...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    expect(unsentIds(s)).toEqual(["waits", "refused"]);
    expect(s.loaded("refused")).toMatchObject({ status: "failed" });
  });

  test("stay when the channel is queried again, also after a reconnect and without overlap", () => {
    const s = withUnsent();
    const answer = (messages: Message[]): void =>
      s.machine.apply({ kind: "channels", states: [channel(messages)], messageLimit: 6, watched: true });
    answer([...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    expect(unsentIds(s)).toEqual(["waits", "refused"]);
    s.machine.apply({ kind: "stale" });
    answer(msgs(91_000, 91_005));
    expect(unsentIds(s)).toEqual(["waits", "refused"]);
    answer([]);
    expect(unsentIds(s)).toEqual(["waits", "refused"]);
  });

  test("but a message of another user missing from a page's range is removed", () => {
    const s = withUnsent();
    s.machine.apply({
      kind: "page",
      cid: CID,
      messages: [...msgs(90_000, 90_001), ...msgs(90_010, 90_012)],
      pagination: { id_around: "m90001", limit: 25 },
    });
    expect(s.shown()).not.toContain("m90002");
  });

  test("stay after a truncation", () => {
    const s = withUnsent();
    s.machine.dispatch([
      event("channel.truncated", 90_020, { channel: { ...channel().channel, truncated_at: at(90_015) } }),
    ]);
    expect(s.shown()).toEqual(["waits", "refused"]);
  });
});

describe("the newest message included in an unread count", () => {
  const withUnread = (unread: number, upTo = 3): Subject =>
    subject(
      channel(msgs(1, upTo), { read: [{ user: user("ada"), last_read: at(0), unread_messages: unread }] }),
    );

  test("is not counted again by a late or repeated event", () => {
    const s = withUnread(3);
    s.machine.dispatch([isNew(msg(3)), isNew(msg(3))]);
    expect(s.entry().unread).toBe(3);
    s.machine.dispatch([isNew(msg(4)), isNew(msg(4)), isNew(msg(3))]);
    expect(s.entry().unread).toBe(4);
  });

  test("is read by a mark of exactly its time, and the next one is not", () => {
    const s = withUnread(0);
    s.machine.dispatch([isNew(msg(5)), isNew(msg(6))]);
    s.machine.dispatch([event("message.read", 5, { user: user("ada"), last_read_message_id: "m5" })]);
    expect(s.entry().unread).toBe(1);
    s.machine.dispatch([isNew(msg(5)), isNew(msg(6))]);
    expect(s.entry().unread).toBe(1);
  });

  test("of over a thousand unread messages each counts once, also when all events repeat", () => {
    const s = withUnread(0);
    const flood = msgs(10, 10 + 1099).map(isNew);
    s.machine.dispatch(flood);
    expect(s.entry().unread).toBe(1100);
    s.machine.dispatch(flood);
    expect(s.entry().unread).toBe(1100);
  });

  test("with a mention is one mention", () => {
    const mentions = [user("ada")];
    const s = subject(
      channel([msg(1), msg(2, { mentioned_users: mentions })], {
        read: [{ user: user("ada"), last_read: at(1), unread_messages: 1 }],
      }),
    );
    s.machine.dispatch([isNew(msg(2, { mentioned_users: mentions }))]);
    expect(s.entry()).toMatchObject({ unread: 1, mentions: 1 });
  });
});

describe("marking unread before the first message", () => {
  test("removes last_read_message_id", () => {
    const s = subject(
      channel(msgs(1, 3), {
        read: [{ user: me(), last_read: at(3), unread_messages: 0, last_read_message_id: "m3" }],
      }),
    );
    s.machine.dispatch([
      event("notification.mark_unread", 20, {
        user: user("ada"),
        last_read_at: at(0),
        unread_messages: 3,
        first_unread_message_id: "m1",
      }),
    ]);
    expect(s.entry()).toMatchObject({ unread: 3, firstUnreadId: "m1", keepsUnread: true });
    expect(s.entry().read.get("ada")).toMatchObject({ last_read: at(0), unread_messages: 3 });
    expect(s.entry().read.get("ada")).not.toHaveProperty("last_read_message_id");
  });
});
