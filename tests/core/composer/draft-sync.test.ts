/** The provider's copy of drafts: when it is saved, cut, deleted and taken, and what other devices may change (R-DRAFT, DR-1). */
import { describe, expect, test } from "vitest";
import { DraftSync } from "../../../src/core/composer/draft-sync.ts";
import type { DraftContent } from "../../../src/core/lists/provider-drafts.ts";
import { cutText } from "../../../src/text/pieces.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import { fixedRandom } from "../../support/virtual-clock.ts";
import { at, channel, CID, event, msg, silentLog, subject } from "../state/world.ts";

const place = { cid: CID };
const thread = { cid: CID, parentId: "m1" };
const draft = (seconds: number, text: string, more: Partial<Draft> = {}): Draft => ({
  channel_cid: CID,
  created_at: at(seconds),
  message: { id: "ada-9", text },
  ...more,
});

function draftSync(state = channel()) {
  const { machine, clock } = subject(state);
  const calls: {
    name: string;
    args: { body?: { message: Record<string, unknown> }; query?: object; timeout?: number };
  }[] = [];
  let seconds = 100;
  const fake: { fail?: Error; gate?: Promise<unknown>; listed?: Draft[] } = {};
  const drafts = new DraftSync({
    call: (async (name: string, args: { body?: { message: Record<string, unknown> } }) => {
      calls.push({ name, args });
      await fake.gate;
      if (fake.fail) throw fake.fail;
      return name === "saveDraft"
        ? { draft: { channel_cid: CID, created_at: at(++seconds), message: args.body!.message } }
        : {};
    }) as never,
    clock,
    random: fixedRandom(),
    log: silentLog,
    state: machine.state,
    userId: () => "ada",
    providerDraft: ({ parentId }) => fake.listed?.find((each) => each.parent_id === parentId),
  });
  const texts = (): string[] =>
    calls.map(({ name, args }) => (name === "saveDraft" ? String(args.body!.message.text) : name));
  const receive = (type: string, more: Record<string, unknown>, local?: DraftContent) =>
    drafts.onEvent(event(type, 300, more) as never, () => local);
  return { drafts, clock, calls, texts, fake, receive, machine };
}

describe("R-DRAFT-2, DR-1: cutText cuts to the limit without splitting a surrogate pair", () => {
  test.each([
    ["abc", 5, "abc"],
    ["abcdef", 5, "abcde"],
    ["abcd😀", 5, "abcd"],
    ["abc😀x", 5, "abc😀"],
    ["😀", 1, ""],
    ["é😀é", 3, "é😀"],
  ])("%j at %i → %j", (text, maximum, cut) => {
    expect(cutText(text, maximum)).toBe(cut);
  });
  test("a saved draft is cut to the channel's maximum length", async () => {
    const held = channel();
    const c = draftSync({
      ...held,
      channel: { ...held.channel, config: { max_message_length: 3 } as never },
    });
    c.drafts.onChanged(place, { text: "ab😀" });
    await c.clock.advance(1000);
    expect(c.texts()).toEqual(["ab"]);
  });
});

describe("R-DRAFT-3: when a draft is saved", () => {
  test("a draft is saved 1000 ms after the last change, only if it differs from the saved one", async () => {
    const c = draftSync();
    c.drafts.onChanged(place, { text: "t" });
    await c.clock.advance(999);
    c.drafts.onChanged(place, { text: "te" });
    await c.clock.advance(999);
    expect(c.calls).toEqual([]);
    await c.clock.advance(1);
    expect(c.texts()).toEqual(["te"]);
    c.drafts.onChanged(place, { text: "tea" });
    c.drafts.onChanged(place, { text: "te" });
    await c.clock.advance(1000);
    expect(c.texts()).toEqual(["te"]);
    c.drafts.onChanged(thread, { text: "to" });
    await c.clock.advance(1000);
    c.drafts.onChanged(thread, { text: "to", showInChannel: true });
    await c.clock.advance(1000);
    expect(c.texts()).toEqual(["te", "to", "to"]);
  });
  test.each([
    { quotedMessageId: "q" },
    { attachments: [{ type: "file" }] },
    { mentionedUsers: ["bo"] },
    { mentionedUsers: ["bo", "cy"] },
    { attachments: [{ type: "file" }, { type: "image" }] },
  ])(
    "a draft with the same text is saved again when %j is added, and again when it is taken away",
    async (more) => {
      const c = draftSync();
      for (const content of [
        { text: "@bo" },
        { text: "@bo", ...more },
        { text: "@bo", ...more },
        { text: "@bo" },
      ]) {
        c.drafts.onChanged(place, content as DraftContent);
        await c.clock.advance(1000);
      }
      expect(c.texts()).toEqual(["@bo", "@bo", "@bo"]);
      const { id: _id, text: _text, ...added } = c.calls[1]!.args.body!.message;
      expect(Object.values(added)).toEqual(Object.values(more));
    },
  );
  test("leaving a channel saves its drafts and those of its threads; closing saves with a timeout of a second", async () => {
    const c = draftSync();
    c.drafts.onChanged(place, { text: "a" });
    c.drafts.onChanged(thread, { text: "b", showInChannel: true, quotedMessageId: "q" });
    c.drafts.onLeft("messaging:other");
    await c.clock.settle();
    expect(c.calls).toEqual([]);
    c.drafts.onLeft(CID);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "b"]);
    expect(c.calls[1]!.args).toMatchObject({
      path: { type: "messaging", id: "kitchen" },
      body: { message: { parent_id: "m1", show_in_channel: true, quoted_message_id: "q" } },
    });
    c.drafts.onChanged(place, { text: "c" });
    await c.drafts.close();
    expect(c.calls.at(-1)!.args).toMatchObject({ timeout: 1000, body: { message: { text: "c" } } });
    expect(c.clock.timers).toEqual([]);
  });
  test("leaving a channel saves its drafts wherever they stand among those of other channels", async () => {
    const c = draftSync();
    const other = { cid: "messaging:other" };
    for (const [one, text] of [
      [place, "a"],
      [other, "x"],
      [thread, "b"],
    ] as const)
      c.drafts.onChanged(one, { text });
    c.drafts.onLeft(CID);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "b"]);
    c.drafts.onLeft(other.cid);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "b", "x"]);
  });
  test("one save runs at a time, and the last text is saved after it", async () => {
    const c = draftSync();
    const gate = Promise.withResolvers<unknown>();
    c.fake.gate = gate.promise;
    c.drafts.onChanged(place, { text: "a" });
    await c.clock.advance(1000);
    c.drafts.onChanged(place, { text: "ab" });
    await c.clock.advance(1000);
    expect(c.texts()).toEqual(["a"]);
    gate.resolve(undefined);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "ab"]);
    // The same draft, so the same message id.
    expect(c.calls[0]!.args.body!.message.id).toBe(c.calls[1]!.args.body!.message.id);
  });
  test("leaving repeats a save that got no answer, not one that was refused", async () => {
    const c = draftSync();
    c.fake.fail = new TransportError("ERR_NETWORK", "no");
    c.drafts.onChanged(place, { text: "a" });
    await c.clock.advance(1000);
    delete c.fake.fail;
    c.drafts.onLeft(CID);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "a"]);
    c.fake.fail = new ApiError("no", { status: 403, code: 17 });
    c.drafts.onChanged(place, { text: "b" });
    await c.clock.advance(1000);
    c.drafts.onLeft(CID);
    await c.clock.settle();
    expect(c.texts()).toEqual(["a", "a", "b"]);
  });
});

test("R-DRAFT-4: an empty composition deletes the saved draft, only if one exists", async () => {
  const empty = draftSync();
  empty.drafts.onChanged(place, { text: " \n" });
  await empty.clock.advance(1000);
  expect(empty.calls).toEqual([]);
  const saved = draftSync(channel([], { draft: draft(50, "old") }));
  saved.drafts.onChanged(place, { text: "" });
  await saved.clock.advance(1000);
  saved.drafts.onChanged(place, { text: " " });
  await saved.clock.advance(1000);
  expect(saved.texts()).toEqual(["deleteDraft"]);
  // A quote or an attachment is content (DR-2).
  saved.drafts.onChanged(place, { text: "", attachments: [{ type: "file" }] });
  await saved.clock.advance(1000);
  expect(saved.calls.at(-1)!.args.body!.message).toMatchObject({ text: "", attachments: [{ type: "file" }] });
});

test("R-DRAFT-5: opening returns the saved draft of the channel, or of a thread by its parent message", () => {
  const parent = msg(1, { id: "m1", draft: draft(60, "reply", { parent_id: "m1" }) });
  const c = draftSync(channel([parent], { draft: draft(50, "hello") }));
  expect(c.drafts.opened(place)).toEqual({ text: "hello" });
  expect(c.drafts.opened(thread)).toEqual({ text: "reply" });
  expect(c.drafts.opened({ cid: "messaging:nobody" })).toBeUndefined();
});

test("a listed draft is taken where channel or thread are not loaded, or where it is newer, and deleted when cleared (R-DRAFT-9)", async () => {
  const c = draftSync(channel([], { draft: draft(50, "older") }));
  c.fake.listed = [draft(70, "newer"), draft(60, "in a thread", { parent_id: "m1" })];
  expect(c.drafts.opened(place)).toEqual({ text: "newer" });
  expect(c.drafts.opened(thread)).toEqual({ text: "in a thread" });
  c.fake.listed[0] = draft(40, "oldest");
  expect(c.drafts.opened(place)).toBeUndefined();
  c.drafts.onChanged(thread, { text: "" });
  await c.clock.advance(1000);
  expect(c.calls).toMatchObject([{ name: "deleteDraft", args: { query: { parent_id: "m1" } } }]);
});

describe("R-DRAFT-6: sending", () => {
  test("a received message deletes the saved draft", async () => {
    const c = draftSync(channel([], { draft: draft(50, "hi") }));
    c.drafts.opened(place);
    c.drafts.sent(place);
    c.drafts.onChanged(place, { text: "" });
    await c.clock.advance(1000);
    expect(c.calls).toEqual([]);
    c.drafts.outcome(place, true);
    await c.clock.settle();
    expect(c.texts()).toEqual(["deleteDraft"]);
  });
  test("a failed message leaves the saved draft", async () => {
    const c = draftSync(channel([], { draft: draft(50, "hi") }));
    c.drafts.opened(place);
    c.drafts.sent(place);
    c.drafts.onChanged(place, { text: "" });
    await c.clock.advance(1000);
    c.drafts.outcome(place, false);
    await c.clock.advance(5000);
    expect(c.calls).toEqual([]);
  });
  test("with two messages being sent, the draft is deleted only when both have arrived", async () => {
    const c = draftSync(channel([], { draft: draft(50, "hi") }));
    c.drafts.opened(place);
    for (let n = 0; n < 2; n++) c.drafts.sent(place);
    c.drafts.outcome(place, true);
    await c.clock.advance(5000);
    expect(c.calls).toEqual([]);
    c.drafts.outcome(place, true);
    await c.clock.settle();
    expect(c.texts()).toEqual(["deleteDraft"]);
  });
  test("a text written during the send is saved", async () => {
    const c = draftSync(channel([], { draft: draft(50, "hi") }));
    c.drafts.sent(place);
    c.drafts.onChanged(place, { text: "next" });
    c.drafts.outcome(place, true);
    await c.clock.advance(1000);
    expect(c.texts()).toEqual(["next"]);
  });
});

describe("R-DRAFT-7: events of other devices", () => {
  test("replace or clear an untouched composer", () => {
    const c = draftSync(channel([], { draft: draft(50, "hello") }));
    c.drafts.opened(place);
    expect(c.receive("draft.updated", { draft: draft(200, "hello there") })).toEqual({
      place,
      content: { text: "hello there" },
    });
    expect(c.receive("draft.deleted", { draft: draft(200, "hello there") })).toEqual({
      place,
      content: { text: "" },
    });
  });
  test("leave an edited composer alone", () => {
    const c = draftSync(channel([], { draft: draft(50, "hello") }));
    c.drafts.opened(place);
    c.drafts.onChanged(place, { text: "mine" });
    expect(c.receive("draft.updated", { draft: draft(200, "theirs") })).toBeUndefined();
    expect(c.receive("draft.deleted", { draft: draft(200, "theirs") })).toBeUndefined();
  });
  test("are ignored if they repeat the own save or are older", async () => {
    const c = draftSync();
    c.drafts.opened(place);
    c.drafts.onChanged(place, { text: "mine" });
    c.drafts.onLeft(CID);
    await c.clock.settle();
    c.drafts.opened(place);
    expect(c.receive("draft.updated", { draft: draft(101, "mine") })).toBeUndefined();
    expect(c.receive("draft.updated", { draft: draft(20, "long ago") })).toBeUndefined();
    expect(c.receive("draft.updated", { draft: draft(202, "theirs") })).toBeDefined();
  });
  test("do not replace a local text that was never copied to the provider", () => {
    const c = draftSync();
    expect(
      c.receive("draft.updated", { draft: draft(200, "theirs") }, { text: "written here" }),
    ).toBeUndefined();
    const same = draftSync(channel([], { draft: draft(50, "written here") }));
    expect(
      same.receive("draft.updated", { draft: draft(200, "theirs") }, { text: "written here" }),
    ).toBeDefined();
  });
  test("find a thread by its parent id", () => {
    const c = draftSync();
    c.drafts.opened(thread);
    const replacement = c.receive("draft.updated", {
      parent_id: "m1",
      draft: draft(200, "re", { parent_id: "m1" }),
    });
    expect(replacement).toEqual({ place: thread, content: { text: "re" } });
  });
});

test("a reset on sign-out leaves no timer", () => {
  const c = draftSync();
  c.drafts.onChanged(place, { text: "x" });
  c.drafts.reset();
  expect(c.clock.timers).toEqual([]);
});

test("R-DRAFT-7: another device's draft replaces the own one in a place that is open and untouched, and waits in one that is not open", () => {
  const local = { text: "written here in an earlier run" };
  const payload = { draft: draft(200, "from the phone") };
  const c = draftSync();
  expect(c.receive("draft.updated", payload, local)).toBeUndefined();
  const opened = draftSync();
  opened.drafts.opened(place);
  expect(opened.receive("draft.updated", payload, local)).toEqual({
    place,
    content: { text: "from the phone" },
  });
});
