/** The exact calls of outbox rows: bodies, paths and keys, and the results of a lookup by id (D2, D11, R-SEND-4). */
import { describe, expect, test } from "vitest";
import type { OutgoingMessage, Upload } from "../../../src/core/base/api-types.ts";
import { checkBase, findById, executeRow } from "../../../src/core/outbox/execute-row.ts";
import { compose } from "../../../src/core/outbox/compose.ts";
import { matchesEdit } from "../../../src/core/outbox/late-edits.ts";
import type { OutboxAction, OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, CID, msg, user } from "../state/world.ts";
import { bench, network, refusal } from "./provider.ts";

const cake = { type: "file", title: "cake" };
const tea = { type: "file", title: "tea" };
const upload = (title: string, state: Upload["state"] = "finished"): Upload => ({
  localId: title,
  name: title,
  state,
  sent: 0,
  total: 0,
  attachment: { type: "file", title },
});
const row = (action: OutboxAction): OutboxRow => ({
  seq: 1,
  messageId: "m1",
  cid: CID,
  action,
  state: "queued",
  tries: 0,
  owner: "1:1",
  createdAt: 0,
});
const edit = (more: Partial<Extract<OutboxAction, { kind: "edit" }>> = {}): OutboxAction => ({
  kind: "edit",
  set: { text: "mine" },
  unset: [],
  ...more,
});

describe("a composition becomes", () => {
  const made = (composition: OutgoingMessage, parentId?: string) =>
    compose("m1", { cid: CID, ...(parentId !== undefined && { parentId }) }, composition);
  test("a text alone, without any other key", () => {
    expect(made({ text: "hi" })).toStrictEqual({
      kind: "send",
      message: { id: "m1", text: "hi" },
      options: {},
    });
  });
  test("everything of it, custom fields below the own ones, attachments before finished files", () => {
    const composition: OutgoingMessage = {
      text: "hi",
      attachments: [cake],
      uploads: [upload("tea"), upload("milk", "failed")],
      mentionedUsers: ["bob", "eve"],
      quotedMessageId: "m7",
      showInChannel: true,
      silent: true,
      custom: { mood: "calm", text: "other" },
      options: { skip_push: true },
    };
    const message = {
      mood: "calm",
      text: "hi",
      id: "m1",
      attachments: [cake, tea],
      mentioned_users: ["bob", "eve"],
      quoted_message_id: "m7",
      silent: true,
    };
    expect(made(composition)).toStrictEqual({ kind: "send", message, options: { skip_push: true } });
    expect(made(composition, "m9").message).toStrictEqual({
      ...message,
      parent_id: "m9",
      show_in_channel: true,
    });
    expect(made({ text: "hi", showInChannel: false }, "m9").message).toStrictEqual({
      id: "m1",
      text: "hi",
      parent_id: "m9",
    });
  });
  test("at most twenty-five mentions, the first ones", () => {
    const many = Array.from({ length: 26 }, (_, n) => `u${n}`);
    expect(made({ text: "x", mentionedUsers: many }).message.mentioned_users).toEqual(many.slice(0, 25));
    expect(made({ text: "x", mentionedUsers: [] }).message).not.toHaveProperty("mentioned_users");
  });
  test.each<[string, Partial<OutgoingMessage>]>([
    ["an attachment", { attachments: [cake] }],
    ["a finished file", { uploads: [upload("tea")] }],
    ["a quote", { quotedMessageId: "m7" }],
    ["a poll", { custom: { poll_id: "p" } }],
    ["a location", { custom: { shared_location: {} } }],
  ])("a message without a text where there is %s", (_, more) => {
    expect(made({ text: " ", ...more }).message.text).toBe(" ");
  });
  test.each<[string, Partial<OutgoingMessage>]>([
    ["nothing", {}],
    ["a file that failed", { uploads: [upload("tea", "failed")] }],
    ["mentions", { mentionedUsers: ["bob"] }],
    ["other custom fields", { custom: { mood: "calm" } }],
  ])("a refusal where there is no text but %s", (_, more) => {
    expect(() => made({ text: " \n", ...more })).toThrow("empty");
  });
  test("a refusal of an id that no message can have, and of one unit more than the limit", () => {
    expect(() => compose("", { cid: CID }, { text: "x" })).toThrow("Invalid message id");
    expect(compose("m1", { cid: CID }, { text: "abc" }, 3).message.text).toBe("abc");
    expect(() => compose("m1", { cid: CID }, { text: "abcd" }, 3)).toThrow("too long: 4 of at most 3");
  });
});

describe("a try is", () => {
  const called = async (action: OutboxAction): Promise<unknown[]> => {
    const calls: unknown[] = [];
    const answer = msg(1);
    const call = async (name: string, args: unknown) => {
      calls.push(name, args);
      return { message: answer };
    };
    expect(await executeRow(call as never, row(action))).toEqual({ message: answer });
    return calls;
  };
  const message = { id: "m1", text: "hi" };
  const path = { id: "m1" };
  test.each<[string, OutboxAction, string, unknown]>([
    [
      "a send with its options",
      { kind: "send", message, options: { skip_push: true } },
      "sendMessage",
      { path: { type: "messaging", id: "kitchen" }, body: { message, skip_push: true } },
    ],
    [
      "an edit that only sets, under its key",
      edit({ key: "k" }),
      "updateMessagePartial",
      { path, body: { set: { text: "mine" } }, key: "k" },
    ],
    [
      "an edit that takes away, of an older row without a key",
      edit({ unset: ["mood"] }),
      "updateMessagePartial",
      { path, body: { set: { text: "mine" }, unset: ["mood"] } },
    ],
    [
      "a delete",
      { kind: "delete", hard: false, forMe: false, key: "k" },
      "deleteMessage",
      { path, query: {}, key: "k" },
    ],
    [
      "a hard delete",
      { kind: "delete", hard: true, forMe: false },
      "deleteMessage",
      { path, query: { hard: true } },
    ],
    [
      "a delete for oneself",
      { kind: "delete", hard: false, forMe: true },
      "deleteMessage",
      { path, query: { delete_for_me: true } },
    ],
    [
      "a reaction",
      { kind: "react", type: "love", unique: false, key: "k" },
      "sendReaction",
      { path, body: { reaction: { type: "love" } }, key: "k" },
    ],
    [
      "the only reaction, with a score",
      { kind: "react", type: "love", unique: true, score: 0 },
      "sendReaction",
      { path, body: { reaction: { type: "love", score: 0 }, enforce_unique: true } },
    ],
    [
      "a reaction taken back",
      { kind: "unreact", type: "love", key: "k" },
      "deleteReaction",
      { path: { id: "m1", reaction_type: "love" }, key: "k" },
    ],
  ])("%s", async (_, action, name, args) => {
    const calls = await called(action);
    expect(calls).toStrictEqual([name, args]);
  });
  test("none for a row whose channel has no name", async () => {
    const bad = { ...row({ kind: "send", message, options: {} }), cid: "kitchen" };
    await expect(executeRow((() => Promise.reject(new Error("called"))) as never, bad)).rejects.toThrow(
      "Invalid cid kitchen",
    );
  });
});

describe("a lookup by id finds", () => {
  const found = async (answer: Partial<Message> | Error) => {
    const call = async (name: string, args: unknown) => {
      expect([name, args]).toEqual(["getMessage", { path: { id: "m1" } }]);
      if (answer instanceof Error) throw answer;
      return { message: answer };
    };
    return findById(call as never, row(edit()), "ada");
  };
  const ours = msg(1, { user: user("ada") });
  test("the own message, without the channel it comes with", async () => {
    expect(await found({ ...ours, channel: {} } as never)).toStrictEqual({ kind: "ours", message: ours });
    const { cid: _, ...bare } = ours;
    expect(await found(bare)).toMatchObject({ kind: "ours" });
  });
  test("another one: of somebody else, or of another channel", async () => {
    expect(await found(msg(1))).toEqual({ kind: "other" });
    expect(await found({ ...ours, cid: "messaging:other" })).toEqual({ kind: "other" });
  });
  test("none by code or by status; any other failure says nothing", async () => {
    expect(await found(refusal(400, 16))).toEqual({ kind: "none" });
    expect(await found(refusal(404, 0))).toEqual({ kind: "none" });
    await expect(found(refusal(403, 17))).rejects.toThrow("code 17");
    await expect(found(network())).rejects.toThrow("the connection failed");
  });
});

describe("an edit that had to wait finds (D11)", () => {
  const base = { baseUpdatedAt: at(5) };
  const finds = async (action: OutboxAction, message: Partial<Message>, own = false): Promise<string> => {
    const call = async () => ({ message: msg(1, message) });
    return (await checkBase(call as never, row(action), () => own)).base;
  };
  test.each<[string, OutboxAction, Partial<Message>, string]>([
    ["nothing to compare with", edit(), { updated_at: at(9), message_text_updated_at: at(9) }, "go"],
    ["its own work", edit(base), { text: "mine", message_text_updated_at: at(9) }, "done"],
    ["another text since", edit(base), { message_text_updated_at: at(6) }, "changed"],
    ["the text it was made from", edit(base), { message_text_updated_at: at(5), updated_at: at(9) }, "go"],
    ["a text never changed", edit(base), { updated_at: at(9) }, "go"],
    ["another change of its fields", edit({ ...base, set: { mood: "x" } }), { updated_at: at(6) }, "changed"],
    ["its own base", edit({ ...base, set: { mood: "x" } }), { updated_at: at(5) }, "go"],
    ["what is no edit", { kind: "unreact", type: "love" }, { updated_at: at(9) }, "go"],
  ])("%s", async (_, action, message, wanted) => {
    expect(await finds(action, message)).toBe(wanted);
  });
  test("an older own edit that came late", async () => {
    expect(await finds(edit(base), { message_text_updated_at: at(9) }, true)).toBe("go");
  });
  test("itself where every field reads as set and none of the others is left, mentioned users aside", () => {
    const reads = (set: Record<string, unknown>, unset: string[] = []): boolean =>
      matchesEdit(msg(1, { text: "a", mood: { x: 1 } }), { set, unset });
    expect([
      reads({ text: "a", mood: { x: 1 } }),
      reads({ mentioned_users: ["bob"] }),
      reads({}, ["gone"]),
    ]).toEqual([true, true, true]);
    expect([reads({ text: "a", mood: 1 }), reads({ text: "a" }, ["gone", "mood"])]).toEqual([false, false]);
  });
});

describe("what is asked of the outbox is written down as", () => {
  const written = (b: ReturnType<typeof bench>) =>
    b.store.outbox().map(({ action, messageId, cid }) => ({ ...action, messageId, cid }));
  const key = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  const about = { messageId: "m5", cid: CID };
  const message = msg(5, { user: user("ada"), updated_at: at(7) });
  test("deletes, reactions and edits, each with what was said and nothing more", () => {
    const b = bench();
    b.online.value = false;
    void b.outbox.remove(message);
    void b.outbox.remove(message, { hard: true });
    void b.outbox.remove(message, { forMe: true });
    void b.outbox.react(message, "love");
    void b.outbox.react(message, "wow", { score: 0, unique: true });
    void b.outbox.unreact(message, "love");
    void b.outbox.edit(message, { text: "x" }, ["mood"]);
    expect(written(b)).toStrictEqual([
      { kind: "delete", hard: false, forMe: false, key, ...about },
      { kind: "delete", hard: true, forMe: false, key, ...about },
      { kind: "delete", hard: false, forMe: true, key, ...about },
      { kind: "react", type: "love", unique: false, key, ...about },
      { kind: "react", type: "wow", score: 0, unique: true, key, ...about },
      { kind: "unreact", type: "love", key, ...about },
      { kind: "edit", set: { text: "x" }, unset: ["mood"], baseUpdatedAt: at(7), key, ...about },
    ]);
  });
  test("nothing where the message, the reaction or the user has no name", async () => {
    const b = bench();
    const blank = { ...message, id: " " };
    await expect(b.outbox.edit(blank, { text: "x" })).rejects.toThrow();
    await expect(b.outbox.react(blank, "love")).rejects.toThrow();
    await expect(b.outbox.react(message, "")).rejects.toThrow();
    await expect(b.outbox.unreact(message, " ")).rejects.toThrow();
    expect(() => b.outbox.send({ cid: "kitchen" }, { text: "x" })).toThrow();
    b.signOut();
    await expect(b.outbox.unreact(message, "love")).rejects.toThrow("Nobody is signed in");
    expect(() => b.outbox.send({ cid: CID }, { text: "x" })).toThrow("Nobody is signed in");
    expect(written(b)).toEqual([]);
  });
});
