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
function writing(): Subject {
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
const own = (s: Subject): string[] => s.shown().filter((id) => !id.startsWith("m"));

describe("own messages that the provider does not have", () => {
  test("stay where pages are loaded around, before and after them", () => {
    const s = writing();
    expect(own(s)).toEqual(["waits", "refused"]);
    const page = (pagination: object, messages: Message[]): void =>
      s.machine.apply({ kind: "page", cid: CID, messages, pagination: { ...pagination, limit: 25 } });
    page({ id_around: "m90002" }, [...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    page({ id_lt: "m90012" }, [...msgs(90_000, 90_002), ...msgs(90_010, 90_011)]);
    page({ id_gt: "m90000" }, [...msgs(90_001, 90_002), ...msgs(90_010, 90_012)]);
    page({}, [...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    expect(own(s)).toEqual(["waits", "refused"]);
    expect(s.held("refused")).toMatchObject({ status: "failed" });
  });

  test("stay when the channel is asked for again, also after a break and without any overlap", () => {
    const s = writing();
    const answer = (messages: Message[]): void =>
      s.machine.apply({ kind: "channels", states: [channel(messages)], messageLimit: 6, watched: true });
    answer([...msgs(90_000, 90_002), ...msgs(90_010, 90_012)]);
    expect(own(s)).toEqual(["waits", "refused"]);
    s.machine.apply({ kind: "stale" });
    answer(msgs(91_000, 91_005));
    expect(own(s)).toEqual(["waits", "refused"]);
    answer([]);
    expect(own(s)).toEqual(["waits", "refused"]);
  });

  test("while what others wrote in a page's range and the page does not hold any more goes", () => {
    const s = writing();
    s.machine.apply({
      kind: "page",
      cid: CID,
      messages: [...msgs(90_000, 90_001), ...msgs(90_010, 90_012)],
      pagination: { id_around: "m90001", limit: 25 },
    });
    expect(s.shown()).not.toContain("m90002");
  });

  test("stay when everything before a moment is cut away", () => {
    const s = writing();
    s.machine.dispatch([
      event("channel.truncated", 90_020, { channel: { ...channel().channel, truncated_at: at(90_015) } }),
    ]);
    expect(s.shown()).toEqual(["waits", "refused"]);
  });
});

describe("the message that a number ends with", () => {
  const known = (unread: number, upTo = 3): Subject =>
    subject(
      channel(msgs(1, upTo), { read: [{ user: user("ada"), last_read: at(0), unread_messages: unread }] }),
    );

  test("is in the number: its event, late or twice, counts nothing more", () => {
    const s = known(3);
    s.machine.dispatch([isNew(msg(3)), isNew(msg(3))]);
    expect(s.entry().unread).toBe(3);
    s.machine.dispatch([isNew(msg(4)), isNew(msg(4)), isNew(msg(3))]);
    expect(s.entry().unread).toBe(4);
  });

  test("is read by a mark of its very moment, and the next one is not", () => {
    const s = known(0);
    s.machine.dispatch([isNew(msg(5)), isNew(msg(6))]);
    s.machine.dispatch([event("message.read", 5, { user: user("ada"), last_read_message_id: "m5" })]);
    expect(s.entry().unread).toBe(1);
    s.machine.dispatch([isNew(msg(5)), isNew(msg(6))]);
    expect(s.entry().unread).toBe(1);
  });

  test("of more than can be kept one by one each counts once, also when all are told again", () => {
    const s = known(0);
    const flood = msgs(10, 10 + 1099).map(isNew);
    s.machine.dispatch(flood);
    expect(s.entry().unread).toBe(1100);
    s.machine.dispatch(flood);
    expect(s.entry().unread).toBe(1100);
  });

  test("a mention at the end of the number is one mention", () => {
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

describe("a mark as unread before the first message", () => {
  test("leaves no message that was read last", () => {
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
    expect(s.entry()).toMatchObject({ unread: 3, firstUnreadId: "m1", heldUnread: true });
    expect(s.entry().read.get("ada")).toMatchObject({ last_read: at(0), unread_messages: 3 });
    expect(s.entry().read.get("ada")).not.toHaveProperty("last_read_message_id");
  });
});
