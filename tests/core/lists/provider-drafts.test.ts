/** Drafts at the provider: when they are loaded, and what events of other devices change (R-DRAFT-9). */
import { expect, test } from "vitest";
import { createProviderDrafts } from "../../../src/core/lists/provider-drafts.ts";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import { at, CID, event, silentLog } from "../state/world.ts";

const draft = (seconds: number, text: string, more: Partial<Draft> = {}): Draft => ({
  channel_cid: CID,
  created_at: at(seconds),
  message: { id: "ada-9", text },
  ...more,
});
const inThread = { parent_id: "m1" };

function list(enabled = true) {
  const answers: unknown[] = [];
  const calls: unknown[] = [];
  const drafts = createProviderDrafts({
    call: (async (name: string, args: object) => {
      calls.push([name, args]);
      const answer = await answers.shift();
      if (answer instanceof Error) throw answer;
      return { drafts: answer };
    }) as never,
    log: silentLog,
    enabled,
  });
  const texts = (): string[] => drafts.state().map(({ text }) => text);
  const receive = (type: string, seconds: number, saved: Draft): void =>
    drafts.onEvent({ ...event(type, seconds, { draft: saved }) } as never);
  return { drafts, answers, calls, texts, receive };
}

test("the newest drafts are loaded with each connection, newest first, with quotes, files and mentions", async () => {
  const l = list();
  const rich = draft(2, "b", {
    ...inThread,
    message: {
      id: "x",
      text: "b",
      quoted_message_id: "q",
      show_in_channel: true,
      mentioned_users: [{ id: "bo" } as never],
      attachments: [{ type: "file" }],
    },
  });
  l.answers.push([draft(1, "a"), rich], [draft(3, "c")]);
  l.drafts.onConnected();
  await expect.poll(l.texts).toEqual(["b", "a"]);
  expect(l.drafts.state()[0]).toEqual({
    cid: CID,
    parentId: "m1",
    text: "b",
    quotedMessageId: "q",
    showInChannel: true,
    attachments: [{ type: "file" }],
    mentionedUsers: ["bo"],
    updatedAt: Date.parse(at(2)),
  });
  l.drafts.onConnected();
  await expect.poll(l.texts).toEqual(["c"]);
  expect(l.calls).toEqual([1, 2].map(() => ["queryDrafts", { body: { limit: 100 } }]));
});

test("while the feature is off no drafts are requested, and events are ignored (R-DRAFT-1)", async () => {
  const l = list(false);
  l.drafts.onConnected();
  l.receive("draft.updated", 1, draft(1, "a"));
  expect([l.calls, l.texts()]).toEqual([[], []]);
});

test("an event adds, replaces or removes the draft of its place alone; an older one changes nothing", async () => {
  const l = list();
  l.receive("draft.updated", 5, draft(5, "here"));
  l.receive("draft.updated", 6, draft(6, "thread", inThread));
  expect(l.texts()).toEqual(["thread", "here"]);
  l.receive("draft.updated", 7, draft(4, "older"));
  expect(l.texts()).toEqual(["thread", "here"]);
  expect(l.drafts.at({ cid: CID, parentId: "m1" })?.message.text).toBe("thread");
  l.receive("draft.deleted", 4, draft(4, "here"));
  expect(l.texts()).toEqual(["thread", "here"]);
  l.receive("draft.deleted", 8, draft(5, "here"));
  expect(l.texts()).toEqual(["thread"]);
  expect(l.drafts.at({ cid: CID })).toBeUndefined();
});

test("an event may name the channel and the thread beside the draft, and a deletion may come without it", () => {
  const l = list();
  const beside = (type: string, seconds: number, more: Record<string, unknown>): void =>
    l.drafts.onEvent(event(type, seconds, { cid: CID, parent_id: "m1", ...more }) as never);
  const { channel_cid: _, ...bare } = draft(5, "reply");
  beside("draft.updated", 5, { draft: bare });
  expect(l.drafts.state()).toMatchObject([{ cid: CID, parentId: "m1", text: "reply" }]);
  beside("draft.deleted", 6, {});
  expect(l.texts()).toEqual([]);
});

test("events that arrive before the answer of a request are applied to it", async () => {
  const l = list();
  const answer = Promise.withResolvers<Draft[]>();
  l.answers.push(answer.promise);
  l.drafts.onConnected();
  l.receive("draft.deleted", 5, draft(1, "gone"));
  l.receive("draft.updated", 6, draft(6, "new", inThread));
  answer.resolve([draft(1, "gone")]);
  await answer.promise;
  await expect.poll(l.texts).toEqual(["new"]);
});

test("a request that fails leaves the list, and the answer for an earlier user is dropped", async () => {
  const l = list();
  l.receive("draft.updated", 5, draft(5, "here"));
  l.answers.push(new Error("no answer"));
  l.drafts.onConnected();
  await Promise.resolve();
  expect(l.texts()).toEqual(["here"]);
  const answer = Promise.withResolvers<Draft[]>();
  l.answers.push(answer.promise);
  l.drafts.onConnected();
  l.drafts.reset();
  answer.resolve([draft(1, "of another user")]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(l.texts()).toEqual([]);
});
