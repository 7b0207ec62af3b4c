/** A running edit beside a draft: neither loses the other, whatever comes from elsewhere meanwhile (R-DRAFT-7, R-DRAFT-8, D10). */
import { afterEach, expect, test } from "vitest";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import { jsonReply } from "../../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg, user } from "../state/world.ts";
import { draftOf } from "../../support/drafts.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";

const place = { cid: CID };
const DRAFT = "/channels/messaging/kitchen/draft";
const open: VirtualCore[] = [];
afterEach(async () => {
  for (const v of open.splice(0)) {
    const closing = v.core.close();
    await v.clock.advance(2000);
    await closing;
  }
});

const savedDraft = (text: string, second: number, quoted_message_id?: string): Draft => ({
  channel_cid: CID,
  created_at: at(second),
  message: { id: "mira-9", text, ...(quoted_message_id && { quoted_message_id }) },
});

/** A connected core with drafts copied to the provider, and a channel with or without a draft. */
async function core(
  draft?: Draft,
  answer?: () => ReturnType<typeof jsonReply>,
  store = createMemoryStore(),
): Promise<VirtualCore> {
  const state = channel([msg(5), msg(7)], draft && { draft });
  const v = virtualCore(
    { drafts: true },
    { store },
    {
      "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
      "GET /users/live_locations": () => jsonReply({ active_live_locations: [], duration: "" }),
      [`POST ${DRAFT}`]: ({ body }) =>
        jsonReply(
          { draft: { channel_cid: CID, created_at: at(800), message: body.message }, duration: "" },
          201,
        ),
      [`DELETE ${DRAFT}`]: () => jsonReply({ duration: "" }),
      "PUT /messages/m5":
        answer ??
        (({ body }) => jsonReply({ message: { ...msg(5), ...(body.set as object) }, duration: "" })),
    },
  );
  open.push(v);
  const connecting = v.core.connectUser({ id: "mira" }, miraToken());
  await v.clock.settle();
  v.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(0),
    me: { ...me(), ...user("mira") },
  });
  await connecting;
  await v.core.watch(CID);
  return v;
}

/** Another device's draft arrives. */
async function receiveDraft(v: VirtualCore, draft: Draft): Promise<void> {
  v.sockets.last.frame({ type: "draft.updated", cid: CID, created_at: draft.created_at, draft });
  await v.clock.advance(50);
}

test("a draft of another device leaves a running edit alone, on screen and on disk", async () => {
  const v = await core(savedDraft("hello", 50));
  const composer = v.core.composer(place);
  composer.open();
  composer.edit(msg(5));
  composer.typed("text 5, better", 14);
  await receiveDraft(v, savedDraft("from the phone", 200));
  await v.clock.advance(500);
  expect(composer.state()).toMatchObject({ text: "text 5, better", editing: { id: "m5" } });
  expect(draftOf(v.core, place)).toMatchObject({ text: "text 5, better", editingId: "m5" });
});

test("a draft of another device that arrived during an edit shows when the edit ends", async () => {
  const v = await core(savedDraft("hello", 50));
  const composer = v.core.composer(place);
  composer.open();
  composer.edit(msg(5));
  await receiveDraft(v, savedDraft("from the phone", 200, "m7"));
  composer.edit(undefined);
  expect(composer.state()).toMatchObject({ text: "from the phone", quotedMessageId: "m7" });
  expect(composer.state().editing).toBeUndefined();
});

test("an edit started during another one brings back the text from before the first", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  composer.typed("half a thought", 14);
  composer.quote("m7");
  composer.edit(msg(5));
  composer.typed("text 5, better", 14);
  composer.edit(msg(7));
  expect(composer.state()).toMatchObject({ text: "text 7", editing: { id: "m7" } });
  composer.edit(undefined);
  expect(composer.state()).toMatchObject({ text: "half a thought", quotedMessageId: "m7" });
  await v.clock.advance(500);
  expect(draftOf(v.core, place)).toMatchObject({ text: "half a thought", quotedMessageId: "m7" });
});

test("a quote alone is a draft: choosing, changing and removing it is saved on disk and at the provider", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  composer.quote("m5");
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toMatchObject({ quotedMessageId: "m5" });
  composer.quote("m7");
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toMatchObject({ quotedMessageId: "m7" });
  composer.quote(undefined);
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toBeUndefined();
  expect(
    v.calls
      .filter(({ what }) => what.endsWith(DRAFT))
      .map(({ body }) => (body?.message as { quoted_message_id?: string })?.quoted_message_id ?? "none"),
  ).toEqual(["m5", "m7", "none"]);
});

/** Another user, or another device of the same user, changed a message. */
async function receiveMessage(v: VirtualCore, type: string, message: object): Promise<void> {
  v.sockets.last.frame({ type, cid: CID, created_at: at(300), message, user: user("mira") });
  await v.clock.advance(50);
}

async function receiveEvent(v: VirtualCore, event: { type: string; [more: string]: unknown }): Promise<void> {
  v.sockets.last.frame({ cid: CID, created_at: at(300), ...event });
  await v.clock.advance(50);
}

/** An edit begun and continued while the composer already contained a text. */
async function startEdit(answer?: () => ReturnType<typeof jsonReply>): Promise<VirtualCore> {
  const v = await core(undefined, answer);
  const composer = v.core.composer(place);
  composer.edit(msg(5));
  composer.typed("mine", 4);
  return v;
}

const lastNotice = (v: VirtualCore): string | undefined => v.core.state().notices.at(-1)?.text;
const editRequests = (v: VirtualCore) => v.calls.filter(({ what }) => what.startsWith("PUT /messages/"));

test("a message that somebody changed during the edit is overwritten only by a second save", async () => {
  const v = await startEdit();
  const composer = v.core.composer(place);
  await receiveMessage(v, "message.updated", { ...msg(5), text: "theirs", updated_at: at(300) });
  expect(() => composer.send()).toThrow("was changed meanwhile");
  expect(composer.state()).toMatchObject({ text: "mine", editing: { id: "m5", text: "theirs" } });
  expect(editRequests(v)).toEqual([]);
  composer.send();
  await v.clock.settle();
  expect(editRequests(v).map(({ body }) => body)).toMatchObject([{ set: { text: "mine" } }]);
});

test("an edit to the text that the message already has sends no request", async () => {
  const v = await startEdit();
  await receiveMessage(v, "message.updated", { ...msg(5), text: "mine", updated_at: at(300) });
  v.core.composer(place).send();
  await v.clock.settle();
  expect([editRequests(v), v.core.composer(place).state().editing]).toEqual([[], undefined]);
});

test("saving an edit of a message deleted meanwhile is refused and keeps the text", async () => {
  const v = await startEdit();
  const composer = v.core.composer(place);
  await receiveMessage(v, "message.deleted", { ...msg(5), type: "deleted", deleted_at: at(300) });
  expect(() => composer.send()).toThrow("has been deleted meanwhile");
  expect(composer.state()).toMatchObject({ text: "mine", editing: { id: "m5" } });
  expect(editRequests(v)).toEqual([]);
});

const refused = () =>
  jsonReply(
    {
      code: 17,
      message: 'UpdateMessage failed with error: "You may not"',
      StatusCode: 403,
      duration: "",
      more_info: "",
    },
    403,
  );

test("R-SEND-14: a refused edit is reopened in the composer and its reason is shown once, in plain words", async () => {
  const v = await startEdit(refused);
  const composer = v.core.composer(place);
  composer.send();
  expect(composer.state()).toMatchObject({ text: "" });
  await v.clock.advance(50);
  expect(composer.state()).toMatchObject({ text: "mine", editing: { id: "m5" } });
  expect(v.core.state().notices.map(({ text }) => text)).toEqual(["You may not"]);
  await v.clock.advance(500);
  expect(draftOf(v.core, place)).toMatchObject({ text: "mine", editingId: "m5" });
});

test("a refused edit does not replace a text begun since", async () => {
  const v = await startEdit(refused);
  const composer = v.core.composer(place);
  composer.send();
  composer.typed("something new", 13);
  await v.clock.advance(50);
  expect(composer.state()).toMatchObject({ text: "something new" });
  expect(composer.state().editing).toBeUndefined();
  expect(lastNotice(v)).toBe("You may not");
});

test("hard-deleting a quoted message removes the quote with a notice; hard-deleting an edited one refuses its save", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  composer.typed("an answer", 9);
  composer.quote("m7");
  await receiveMessage(v, "message.deleted", { ...msg(7), type: "deleted", deleted_at: at(300) });
  expect(composer.state().quotedMessageId).toBe("m7");
  await receiveEvent(v, { type: "message.deleted", hard_delete: true, message: msg(7) });
  expect(composer.state()).toMatchObject({ text: "an answer" });
  expect(composer.state().quotedMessageId).toBeUndefined();
  expect(lastNotice(v)).toBe("The quoted message was deleted, so the quote was removed.");
  composer.edit(msg(5));
  composer.typed("mine", 4);
  await receiveEvent(v, { type: "message.deleted", hard_delete: true, message: msg(5) });
  expect(() => composer.send()).toThrow("has been deleted meanwhile");
  expect(composer.state()).toMatchObject({ text: "mine", editing: { id: "m5" } });
});

test("a truncation removes the quote of a removed message and keeps that of a remaining one", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  const truncated = { type: "channel.truncated", channel: { ...channel().channel, truncated_at: at(6) } };
  composer.quote("m7");
  await receiveEvent(v, truncated);
  expect(composer.state().quotedMessageId).toBe("m7");
  composer.quote("m5");
  await receiveEvent(v, truncated);
  expect(composer.state().quotedMessageId).toBeUndefined();
});

test("D10: an edit interrupted by a kill is an edit after the restart, with the earlier text put aside", async () => {
  const store = createMemoryStore();
  const killed = await core(undefined, undefined, store);
  const before = killed.core.composer(place);
  before.typed("half a thought", 14);
  before.quote("m7");
  before.edit(msg(5));
  before.typed("mine", 4);
  await killed.clock.advance(500);
  const restored = createMemoryStore();
  restored.saveDraft(store.draft(CID)!);
  const v = await core(undefined, undefined, restored);
  const composer = v.core.composer(place);
  composer.open();
  expect(composer.state()).toMatchObject({ text: "mine", editing: { id: "m5" } });
  expect(composer.state().quotedMessageId).toBeUndefined();
  composer.edit(undefined);
  expect(composer.state()).toMatchObject({ text: "half a thought", quotedMessageId: "m7" });
});

test("D10: a stored edit whose message is gone is opened as text after the earlier text", async () => {
  const store = createMemoryStore();
  const storedEdit = { text: "mine", editingId: "m99", aside: { text: "half a thought" }, updatedAt: 1 };
  store.saveDraft({ cid: CID, ...storedEdit });
  store.saveDraft({ cid: "messaging:far", ...storedEdit });
  const v = await core(undefined, undefined, store);
  const composer = v.core.composer(place);
  composer.open();
  expect(composer.state()).toMatchObject({ text: "half a thought\n\nmine" });
  expect(composer.state().editing).toBeUndefined();
  // The messages of the channel are not loaded yet: they may contain it.
  const far = v.core.composer({ cid: "messaging:far" });
  far.open();
  expect(far.state().text).toBe("");
  expect(draftOf(v.core, { cid: "messaging:far" })).toMatchObject({ text: "mine", editingId: "m99" });
});
