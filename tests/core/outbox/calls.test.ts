/** The exact calls of outbox rows: bodies, paths and keys, and the results of a lookup by id (D2, D11, R-SEND-4). */
import { describe, expect, test } from "vitest";
import type { OutgoingMessage, Upload } from "../../../src/core/base/api-types.ts";
import { checkBase, findById, executeRow } from "../../../src/core/outbox/execute-row.ts";
import { compose } from "../../../src/core/outbox/compose.ts";
import { matchesEdit } from "../../../src/core/outbox/edits-of-pending.ts";
import type { OutboxAction, OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, CID, msg, user } from "../state/world.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { outboxWorld, network, refusal } from "./provider.ts";

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

describe("composing", () => {
  const composed = (composition: OutgoingMessage, parentId?: string) =>
    compose("m1", { cid: CID, ...(parentId !== undefined && { parentId }) }, composition);
  test("a text alone gives a message without any other key", () => {
    expect(composed({ text: "hi" })).toStrictEqual({
      kind: "send",
      message: { id: "m1", text: "hi" },
      options: {},
    });
  });
  test("all parts are taken over, custom fields never replace the own fields, attachments come before finished files", () => {
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
    expect(composed(composition)).toStrictEqual({ kind: "send", message, options: { skip_push: true } });
    expect(composed(composition, "m9").message).toStrictEqual({
      ...message,
      parent_id: "m9",
      show_in_channel: true,
    });
    expect(composed({ text: "hi", showInChannel: false }, "m9").message).toStrictEqual({
      id: "m1",
      text: "hi",
      parent_id: "m9",
    });
  });
  test("at most 25 mentions are kept, the first ones", () => {
    const many = Array.from({ length: 26 }, (_, n) => `u${n}`);
    expect(composed({ text: "x", mentionedUsers: many }).message.mentioned_users).toEqual(many.slice(0, 25));
    expect(composed({ text: "x", mentionedUsers: [] }).message).not.toHaveProperty("mentioned_users");
  });
  test.each<[string, Partial<OutgoingMessage>]>([
    ["an attachment", { attachments: [cake] }],
    ["a finished file", { uploads: [upload("tea")] }],
    ["a quote", { quotedMessageId: "m7" }],
    ["a poll", { custom: { poll_id: "p" } }],
    ["a location", { custom: { shared_location: {} } }],
  ])("a blank text is allowed with %s", (_, more) => {
    expect(composed({ text: " ", ...more }).message.text).toBe(" ");
  });
  test.each<[string, Partial<OutgoingMessage>]>([
    ["nothing", {}],
    ["a file that failed", { uploads: [upload("tea", "failed")] }],
    ["mentions", { mentionedUsers: ["bob"] }],
    ["other custom fields", { custom: { mood: "calm" } }],
  ])("a blank text is refused with %s", (_, more) => {
    expect(() => composed({ text: " \n", ...more })).toThrow("empty");
  });
  test("an empty id and a text over the limit are refused", () => {
    expect(() => compose("", { cid: CID }, { text: "x" })).toThrow("Invalid message id");
    expect(compose("m1", { cid: CID }, { text: "abc" }, 3).message.text).toBe("abc");
    expect(() => compose("m1", { cid: CID }, { text: "abcd" }, 3)).toThrow("too long: 4 of at most 3");
  });
});

describe("executing a row calls the provider for", () => {
  const callsOf = async (action: OutboxAction): Promise<unknown[]> => {
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
      "an edit that unsets, of an older row without a key",
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
      "a delete for the current user",
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
      "a unique reaction with a score",
      { kind: "react", type: "love", unique: true, score: 0 },
      "sendReaction",
      { path, body: { reaction: { type: "love", score: 0 }, enforce_unique: true } },
    ],
    [
      "a removed reaction",
      { kind: "unreact", type: "love", key: "k" },
      "deleteReaction",
      { path: { id: "m1", reaction_type: "love" }, key: "k" },
    ],
  ])("%s", async (_, action, name, args) => {
    const calls = await callsOf(action);
    expect(calls).toStrictEqual([name, args]);
  });
  test("nothing, if the row's cid is invalid", async () => {
    const invalid = { ...row({ kind: "send", message, options: {} }), cid: "kitchen" };
    await expect(executeRow((() => Promise.reject(new Error("called"))) as never, invalid)).rejects.toThrow(
      "Invalid cid kitchen",
    );
  });
});

describe("a lookup by id", () => {
  const lookup = async (answer: Partial<Message> | Error) => {
    const call = async (name: string, args: unknown) => {
      expect([name, args]).toEqual(["getMessage", { path: { id: "m1" } }]);
      if (answer instanceof Error) throw answer;
      return { message: answer };
    };
    return findById(call as never, row(edit()), "ada");
  };
  const own = msg(1, { user: user("ada") });
  test("finds the own message, without the channel in its answer", async () => {
    expect(await lookup({ ...own, channel: {} } as never)).toStrictEqual({ kind: "ours", message: own });
    const { cid: _, ...bare } = own;
    expect(await lookup(bare)).toMatchObject({ kind: "ours" });
  });
  test("finds another message if it is of another user or channel", async () => {
    expect(await lookup(msg(1))).toEqual({ kind: "other" });
    expect(await lookup({ ...own, cid: "messaging:other" })).toEqual({ kind: "other" });
  });
  test("tells the own message by its text where the answer names no author", async () => {
    const find = (more: object) => {
      const call = async () => ({ message: { ...msg(1), cid: row(edit()).cid, text: "mine", ...more } });
      const sent = row({ kind: "send", message: { id: "m1", text: "mine" }, options: {} } as never);
      return findById(call as never, sent, "ada");
    };
    for (const id of ["", "!unknown"]) {
      expect(await find({ user: { id } })).toMatchObject({ kind: "ours" });
      expect(await find({ user: { id }, cid: "" })).toMatchObject({ kind: "ours" });
      expect(await find({ user: { id }, text: "of another" })).toEqual({ kind: "other" });
    }
  });
  test("asks for several messages where the provider lacks the call for one", async () => {
    const names: string[] = [];
    const find = (messages: Message[]) => {
      const call = async (name: string) => {
        names.push(name);
        if (name === "getMessage") throw new ApiError("404 page not found", { status: 404 });
        return { messages };
      };
      return findById(call as never, row(edit()), "ada");
    };
    expect(await find([msg(9), own])).toEqual({ kind: "ours", message: own });
    expect(await find([msg(9)])).toEqual({ kind: "none" });
    expect(names).toEqual(["getMessage", "getManyMessages", "getMessage", "getManyMessages"]);
  });
  test("finds none by code 16 or status 404; other failures are thrown", async () => {
    expect(await lookup(refusal(400, 16))).toEqual({ kind: "none" });
    expect(await lookup(refusal(404, 0))).toEqual({ kind: "none" });
    await expect(lookup(refusal(403, 17))).rejects.toThrow("code 17");
    await expect(lookup(network())).rejects.toThrow("the connection failed");
  });
});

describe("a delayed edit compares the message with its base (D11): it", () => {
  const base = { baseUpdatedAt: at(5) };
  const baseOf = async (action: OutboxAction, message: Partial<Message>, own = false): Promise<string> => {
    const call = async () => ({ message: msg(1, message) });
    return (await checkBase(call as never, row(action), () => own)).base;
  };
  test.each<[string, OutboxAction, Partial<Message>, string]>([
    ["nothing to compare with", edit(), { updated_at: at(9), message_text_updated_at: at(9) }, "go"],
    ["its own earlier result", edit(base), { text: "mine", message_text_updated_at: at(9) }, "done"],
    ["a text changed since", edit(base), { message_text_updated_at: at(6) }, "changed"],
    ["the text it is based on", edit(base), { message_text_updated_at: at(5), updated_at: at(9) }, "go"],
    ["a text never changed", edit(base), { updated_at: at(9) }, "go"],
    ["a changed field", edit({ ...base, set: { mood: "x" } }), { updated_at: at(6) }, "changed"],
    ["its own base", edit({ ...base, set: { mood: "x" } }), { updated_at: at(5) }, "go"],
    ["a change that is no edit", { kind: "unreact", type: "love" }, { updated_at: at(9) }, "go"],
  ])("finds %s", async (_, action, message, expected) => {
    expect(await baseOf(action, message)).toBe(expected);
  });
  test("is applied over an older own edit that arrived late", async () => {
    expect(await baseOf(edit(base), { message_text_updated_at: at(9) }, true)).toBe("go");
  });
  test("is done if every set field has its value and every unset one is gone, ignoring mentioned users", () => {
    const matches = (set: Record<string, unknown>, unset: string[] = []): boolean =>
      matchesEdit(msg(1, { text: "a", mood: { x: 1 } }), { set, unset });
    expect([
      matches({ text: "a", mood: { x: 1 } }),
      matches({ mentioned_users: ["bob"] }),
      matches({}, ["gone"]),
    ]).toEqual([true, true, true]);
    expect([matches({ text: "a", mood: 1 }), matches({ text: "a" }, ["gone", "mood"])]).toEqual([
      false,
      false,
    ]);
  });
});

describe("the outbox stores", () => {
  const storedRows = (b: ReturnType<typeof outboxWorld>) =>
    b.store.outbox().map(({ action, messageId, cid }) => ({ ...action, messageId, cid }));
  const key = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  const about = { messageId: "m5", cid: CID };
  const message = msg(5, { user: user("ada"), updated_at: at(7) });
  test("deletes, reactions and edits with their options and nothing more", () => {
    const b = outboxWorld();
    b.online.value = false;
    void b.outbox.remove(message);
    void b.outbox.remove(message, { hard: true });
    void b.outbox.remove(message, { forMe: true });
    void b.outbox.react(message, "love");
    void b.outbox.react(message, "wow", { score: 0, unique: true });
    void b.outbox.unreact(message, "love");
    void b.outbox.edit(message, { text: "x" }, ["mood"]);
    expect(storedRows(b)).toStrictEqual([
      { kind: "delete", hard: false, forMe: false, key, ...about },
      { kind: "delete", hard: true, forMe: false, key, ...about },
      { kind: "delete", hard: false, forMe: true, key, ...about },
      { kind: "react", type: "love", unique: false, key, ...about },
      { kind: "react", type: "wow", score: 0, unique: true, key, ...about },
      { kind: "unreact", type: "love", key, ...about },
      { kind: "edit", set: { text: "x" }, unset: ["mood"], baseUpdatedAt: at(7), key, ...about },
    ]);
  });
  test("nothing without a message id, a reaction type or a user", async () => {
    const b = outboxWorld();
    const blank = { ...message, id: " " };
    await expect(b.outbox.edit(blank, { text: "x" })).rejects.toThrow();
    await expect(b.outbox.react(blank, "love")).rejects.toThrow();
    await expect(b.outbox.react(message, "")).rejects.toThrow();
    await expect(b.outbox.unreact(message, " ")).rejects.toThrow();
    expect(() => b.outbox.send({ cid: "kitchen" }, { text: "x" })).toThrow();
    b.signOut();
    await expect(b.outbox.unreact(message, "love")).rejects.toThrow("Nobody is signed in");
    expect(() => b.outbox.send({ cid: CID }, { text: "x" })).toThrow("Nobody is signed in");
    expect(storedRows(b)).toEqual([]);
  });
});
