/** The composer of a channel in a complete core: what a send contains, and drafts with their copy at the provider (R-SEND-4, R-DRAFT, R-LOC-1). */
import { describe, expect, test } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { UploadSource } from "../../../src/core/base/ports.ts";
import type { Store } from "../../../src/core/store/store.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { ChannelState } from "../../../src/wire/entities/channel.ts";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import { errorReply, jsonReply, type FakeAnswer } from "../../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg, user } from "../state/world.ts";
import { draftOf } from "../../support/drafts.ts";

const place = { cid: CID };
const POST = "POST /channels/messaging/kitchen/message";
const DRAFT = "/channels/messaging/kitchen/draft";
const bob = {
  user_id: "bob",
  user: user("bob", { name: "Bob B" }),
  channel_role: "channel_member",
  created_at: at(0),
  updated_at: at(0),
};

const withQuoted = channel([msg(7)], { members: [bob] });

async function core(
  options: Partial<CoreOptions> = {},
  state: ChannelState = channel([], { members: [bob] }),
  on: VirtualCore["on"] = {},
  { store }: { store: Store } = { store: createMemoryStore("mira") },
): Promise<VirtualCore> {
  const source: UploadSource = {
    name: "tea.png",
    size: 3,
    mimeType: "image/png",
    async *open() {
      yield new TextEncoder().encode("tea");
    },
    dimensions: async () => undefined,
  };
  const virtual = virtualCore(
    options,
    { store, openFile: async () => source },
    {
      "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
      "POST /channels": () => jsonReply({ channels: [state], duration: "" }, 201),
      "GET /users/live_locations": () => jsonReply({ active_live_locations: [], duration: "" }),
      "GET /app": () => jsonReply({ app: {}, duration: "" }),
      "POST /channels/messaging/kitchen/image": () =>
        jsonReply({ file: "http://f/tea", duration: "1ms" }, 201),
      [POST]: (call) => {
        const { message } = call.body as { message: object };
        const sent = msg(900, { user: user("mira"), ...message } as never);
        return jsonReply({ message: sent, duration: "" }, 201);
      },
      "POST /polls": (call) => jsonReply({ poll: { ...call.body, id: "p-1" }, duration: "" }, 201),
      [`POST ${DRAFT}`]: (call) =>
        jsonReply(
          { draft: { channel_cid: CID, created_at: at(800), message: call.body.message }, duration: "" },
          201,
        ),
      [`DELETE ${DRAFT}`]: () => jsonReply({ duration: "" }),
      ...on,
    },
  );
  const connecting = virtual.core.connectUser({ id: "mira" }, miraToken());
  await virtual.clock.settle();
  virtual.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(0),
    me: { ...me(), ...user("mira") },
  });
  await connecting;
  await virtual.clock.settle();
  await virtual.core.watch(CID);
  return virtual;
}
/** Closes it, advancing the clock for the close of the socket. */
async function closeCore(v: VirtualCore): Promise<void> {
  const closing = v.core.close();
  await v.clock.advance(2000);
  await closing;
}
const sentMessages = (v: VirtualCore): Record<string, unknown>[] =>
  v.calls.filter(({ what: eventDraft }) => eventDraft === POST).map(({ body }) => body);
const draftRequests = (v: VirtualCore): string[] =>
  v.calls
    .filter(({ what: eventDraft }) => eventDraft.endsWith(DRAFT))
    .map(({ what: eventDraft, body }) =>
      eventDraft.startsWith("POST") ? String((body.message as { text: string }).text) : "deleted",
    );

test("R-LINK-9: the end of the line of new messages keeps the preview of what is being written, leaving the channel does not", async () => {
  const v = await core({ linkPreviews: true }, withQuoted, {
    "GET /og": () => jsonReply({ og_scrape_url: "https://tea.example", title: "Tea", duration: "80ms" }),
  });
  const composer = v.core.composer(place);
  composer.open();
  composer.typed("see https://tea.example", 23);
  await v.clock.advance(1500);
  // The link finder is loaded on first use.
  await import("../../../src/core/composer/urls.ts");
  await v.clock.advance(10);
  v.core.endLine(CID);
  expect(composer.links.state().previews).toMatchObject([{ status: "loaded" }]);
  v.core.left(CID);
  expect(composer.links.state().previews).toEqual([]);
  await closeCore(v);
});

describe("sending", () => {
  test("R-SEND-4: files, mentions, link previews and the location go into one message, then the composer is empty", async () => {
    const v = await core({ linkPreviews: true }, withQuoted, {
      "GET /og": () => jsonReply({ og_scrape_url: "https://tea.example", title: "Tea", duration: "80ms" }),
    });
    const composer = v.core.composer(place);
    expect(v.core.composer({ cid: CID })).toBe(composer);
    composer.open();
    composer.typed("@bo", 3);
    const [bob] = composer.suggestions.state().items;
    composer.typed("@Bob B ", 7);
    composer.choose(bob!, 0);
    const text = "@Bob B see https://tea.example";
    composer.typed(text, text.length);
    composer.quote("m7");
    composer.locate({ latitude: 1, longitude: 2, duration: 60_000 });
    await composer.attachments.add(["/home/tea.png"]);
    await v.clock.advance(1500);
    // The link finder is loaded on first use.
    await import("../../../src/core/composer/urls.ts");
    await v.clock.advance(10);
    expect(composer.links.state().previews).toMatchObject([{ status: "loaded" }]);
    const sent = composer.send({ silent: true, custom: { mood: "calm" } })!;
    await v.clock.settle();
    expect(await sent.outcome).toMatchObject({ state: "received" });
    const [body] = sentMessages(v);
    expect(body).toMatchObject({
      skip_enrich_url: true,
      message: {
        id: sent.id,
        text,
        mentioned_users: ["bob"],
        quoted_message_id: "m7",
        silent: true,
        mood: "calm",
        shared_location: { latitude: 1, longitude: 2 },
        attachments: [
          { og_scrape_url: "https://tea.example", title: "Tea" },
          { type: "image", image_url: "http://f/tea" },
        ],
      },
    });
    const { shared_location: location, attachments } = (body as { message: Record<string, never> }).message;
    expect(location).toMatchObject({ created_by_device_id: v.core.locations.deviceId() });
    expect(JSON.stringify(attachments)).not.toMatch(/localId|local_id|"state"|duration/);
    expect(composer.state()).toMatchObject({ text: "", carried: [], showInChannel: false });
    expect(composer.state().location).toBeUndefined();
    expect(composer.attachments.state().uploads).toEqual([]);
    expect(composer.suggestions.chosenIds()).toEqual([]);
    await closeCore(v);
  });
  test("a draft that another program of this machine sent leaves the box; one written since does not (specification/drafts.md §4)", async () => {
    const store = createMemoryStore("mira");
    const v = await core({}, undefined, {}, { store });
    const composer = v.core.composer(place);
    const sentElsewhere = async (n: number, text: string): Promise<void> => {
      const message = { ...msg(n, { user: user("mira"), text }), cid: CID };
      v.sockets.last.frame({ type: "message.new", cid: CID, created_at: at(n), user: user("mira"), message });
      await v.clock.advance(1);
    };
    composer.typed("half a thought", 14);
    await v.clock.advance(1000);
    await sentElsewhere(901, "half a thought");
    expect(composer.state().text).toBe("half a thought");
    store.dropDraft(CID);
    await sentElsewhere(902, "another thought");
    expect(composer.state().text).toBe("half a thought");
    await sentElsewhere(903, "half a thought");
    expect(composer.state().text).toBe("");
    composer.typed("another", 7);
    await sentElsewhere(904, "another");
    expect(composer.state().text).toBe("another");
    await closeCore(v);
  });
  test("R-SEND-1: while a file uploads a send is refused with a warning, and the composition stays", async () => {
    const v = await core({}, undefined, { "POST /channels/messaging/kitchen/image": () => "never" });
    const composer = v.core.composer(place);
    composer.typed("hi", 2);
    void composer.attachments.add(["a.png"]);
    await v.clock.settle();
    expect(() => composer.send()).toThrow("Wait until all attachments have uploaded");
    expect(v.core.state().notices).toMatchObject([
      { level: "warning", text: "Wait until all attachments have uploaded" },
    ]);
    expect(composer.state().text).toBe("hi");
    expect(composer.attachments.state().uploads).toMatchObject([{ state: "uploading" }]);
    expect(sentMessages(v)).toEqual([]);
    composer.clear();
    await closeCore(v);
  });
  test("what is said about a held file is in its attachment, before and after it is read", async () => {
    const v = await core({}, undefined, { "POST /channels/messaging/kitchen/image": () => "never" });
    const { attachments } = v.core.composer(place);
    attachments.hold(["a.png"], { type: "voiceRecording", duration: 7 });
    expect(attachments.state().uploads[0]!.attachment).toMatchObject({ type: "voiceRecording", duration: 7 });
    attachments.start();
    await v.clock.settle();
    expect(attachments.state().uploads[0]).toMatchObject({
      state: "uploading",
      attachment: { type: "voiceRecording", duration: 7, mime_type: "image/png" },
    });
    attachments.clear();
    await closeCore(v);
  });
  test("held files make no request and are held again when the message comes back, until they are started", async () => {
    const v = await core({}, undefined, { "POST /channels/messaging/kitchen/image": () => "never" });
    const composer = v.core.composer(place);
    composer.typed("hi", 2);
    composer.attachments.hold(["a.png"]);
    const cleared = composer.clear();
    expect([cleared.files, cleared.heldFiles]).toEqual([undefined, ["a.png"]]);
    composer.putBack(cleared);
    await v.clock.settle();
    expect(composer.attachments.state().uploads).toMatchObject([{ state: "pending", held: true }]);
    composer.attachments.start();
    await v.clock.settle();
    expect(composer.attachments.state().uploads).toMatchObject([{ state: "uploading" }]);
    expect(composer.attachments.state().uploads[0]).not.toHaveProperty("held");
    composer.clear();
    await closeCore(v);
  });
  test("R-NOTE-3: the warning blocks no input and can be closed; removing the upload lets the message be sent", async () => {
    const v = await core({}, undefined, { "POST /channels/messaging/kitchen/image": () => "never" });
    const composer = v.core.composer(place);
    composer.typed("hi", 2);
    void composer.attachments.add(["a.png"]);
    await v.clock.settle();
    expect(() => composer.send()).toThrow();
    composer.typed("hi there", 8);
    expect(composer.state().text).toBe("hi there");
    v.core.dismiss(v.core.state().notices[0]!.id);
    expect(v.core.state().notices).toEqual([]);
    composer.attachments.remove(composer.attachments.state().uploads[0]!.localId);
    composer.send();
    await v.clock.settle();
    expect(sentMessages(v)).toMatchObject([{ message: { text: "hi there" } }]);
    await closeCore(v);
  });
  test("R-SEND-2, R-SEND-3: a text over the configured limit and an empty text are refused without a request and stay", async () => {
    const v = await core({ maxTextLength: 5 });
    const composer = v.core.composer(place);
    composer.typed("sixsix", 6);
    expect(() => composer.send()).toThrow("6 of at most 5");
    composer.typed(" ", 1);
    expect(() => composer.send()).toThrow("empty");
    expect(composer.state().text).toBe(" ");
    expect(sentMessages(v)).toEqual([]);
    await closeCore(v);
  });
  test("R-LOC-1: an invalid location is dropped and the text is sent (L-6); a valid one needs no text (L-7)", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    composer.locate({ latitude: 91, longitude: 0 });
    expect(() => composer.send()).toThrow("empty");
    composer.typed("here", 4);
    composer.send();
    composer.locate({ latitude: 9, longitude: 0 });
    composer.send();
    await v.clock.settle();
    expect(
      sentMessages(v).map(
        ({ message }) => (message as { shared_location?: unknown }).shared_location !== undefined,
      ),
    ).toEqual([false, true]);
    await closeCore(v);
  });
  test("R-LOC-1: no location is sent where locations are off in the options, the channel or the capabilities", async () => {
    const held = channel([], { members: [bob] });
    for (const [options, state] of [
      [{ locations: false }, held],
      [{}, { ...held, channel: { ...held.channel, config: { shared_locations: false } as never } }],
      [{}, { ...held, channel: { ...held.channel, own_capabilities: ["send-message"] } }],
    ] as [Partial<CoreOptions>, ChannelState][]) {
      const v = await core(options, state);
      const composer = v.core.composer(place);
      composer.typed("x", 1);
      composer.locate({ latitude: 9, longitude: 0 });
      composer.send();
      await v.clock.settle();
      expect(sentMessages(v)).toHaveLength(1);
      expect(JSON.stringify(sentMessages(v))).not.toContain("shared_location");
      await closeCore(v);
    }
  });
  test("a reply goes to its thread and, if chosen, to the channel as well", async () => {
    const v = await core({}, channel([msg(1)]));
    const composer = v.core.composer({ cid: CID, parentId: "m1" });
    composer.typed("re", 2);
    composer.showInChannel(true);
    composer.send();
    await v.clock.settle();
    expect(sentMessages(v)[0]).toMatchObject({ message: { parent_id: "m1", show_in_channel: true } });
    await closeCore(v);
  });
  test("R-POLL-17: creating a poll sends a message with its id and leaves the typed text alone", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    composer.typed("half a thou", 11);
    // The draft is on disk, where a send would delete it.
    await v.clock.advance(300);
    composer.poll.edit({ type: "name", value: "Drink?" });
    composer.poll.edit({ type: "option", id: composer.poll.state().form.options[0]!.id, text: "Tea" });
    const id = await composer.poll.create();
    await v.clock.settle();
    expect(sentMessages(v)).toMatchObject([{ message: { id, text: "", poll_id: "p-1" } }]);
    expect(composer.state().text).toBe("half a thou");
    expect(draftOf(v.core, place)?.text).toBe("half a thou");
    await closeCore(v);
  });
  test("a poll made elsewhere goes with the next message, and with no other", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    await composer.poll.submit({ ...composer.poll.state().form, name: "Drink?" });
    for (const text of ["which?", "and then"]) {
      composer.typed(text, text.length);
      composer.send();
      await v.clock.settle();
    }
    const sent = sentMessages(v).map(({ message }) => message as Record<string, unknown>);
    expect(sent.map(({ text, poll_id }) => [text, poll_id])).toEqual([
      ["which?", "p-1"],
      ["and then", undefined],
    ]);
    await closeCore(v);
  });
  test("an edit is sent as an update, the earlier text comes back, and the edit makes no draft (R-DRAFT-8)", async () => {
    const v = await core({ drafts: true }, channel([msg(5, { user: user("mira") })], { members: [bob] }), {
      "PUT /messages/m5": (call) =>
        jsonReply({
          message: msg(5, { user: user("mira"), ...(call.body.set as object), updated_at: at(950) }),
          duration: "",
        }),
    });
    const composer = v.core.composer(place);
    composer.typed("before", 6);
    await v.clock.advance(1000);
    composer.edit(msg(5, { user: user("mira") }));
    expect(composer.state()).toMatchObject({ text: "text 5", editing: { id: "m5" } });
    composer.typed("text five", 9);
    await v.clock.advance(2000);
    expect(composer.send()).toBeUndefined();
    await v.clock.advance(2000);
    expect(
      v.calls.filter(({ what: eventDraft }) => eventDraft === "PUT /messages/m5").map(({ body }) => body.set),
    ).toMatchObject([{ text: "text five" }]);
    expect(composer.state()).toMatchObject({ text: "before" });
    expect(draftRequests(v)).toEqual(["before"]);
    await closeCore(v);
  });
});

describe("drafts copied to the provider", () => {
  const draft = (text: string, seconds = 50, more: Partial<Draft["message"]> = {}): Draft => ({
    channel_cid: CID,
    created_at: at(seconds),
    message: { id: "mira-9", text, ...more },
  });
  const receiveDraft = async (
    v: VirtualCore,
    type: string,
    eventDraft: Draft,
    seconds = 999,
  ): Promise<void> => {
    v.sockets.last.frame({ type, cid: CID, created_at: at(seconds), draft: eventDraft });
    await v.clock.advance(0);
  };
  test("R-DRAFT-1: with the option off no draft request is made", async () => {
    const v = await core({}, channel([], { members: [bob], draft: draft("old") }));
    const composer = v.core.composer(place);
    composer.open();
    expect(composer.state().text).toBe("");
    composer.typed("hi", 2);
    composer.typed("hi there", 8);
    await v.clock.advance(5000);
    v.core.left(CID);
    composer.send();
    await v.clock.settle();
    await receiveDraft(v, "draft.updated", draft("theirs", 999));
    await closeCore(v);
    expect(draftRequests(v)).toEqual([]);
  });
  test("R-DRAFT-3, R-DRAFT-6: a draft is saved after a pause in typing and deleted when the message was sent", async () => {
    const v = await core({ drafts: true });
    const composer = v.core.composer(place);
    composer.open();
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    expect(draftRequests(v)).toEqual(["hello"]);
    composer.send();
    await v.clock.advance(2000);
    expect(draftRequests(v)).toEqual(["hello", "deleted"]);
    await closeCore(v);
    expect(v.clock.timers).toEqual([]);
  });
  test("R-DRAFT-6: a failed send leaves the saved draft", async () => {
    const v = await core({ drafts: true }, undefined, { [POST]: (): FakeAnswer => errorReply(403, 17) });
    const composer = v.core.composer(place);
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    await composer.send()!.outcome;
    await v.clock.advance(2000);
    expect(draftRequests(v)).toEqual(["hello"]);
    await closeCore(v);
  });
  test("R-DRAFT-8: an unfinished edit is not saved as a draft, and the draft of a sent message is deleted", async () => {
    const v = await core({ drafts: true });
    const composer = v.core.composer(place);
    composer.open();
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    composer.edit(msg(5));
    composer.typed("hello, editing", 14);
    await v.clock.advance(1000);
    composer.edit(undefined);
    await composer.send()!.outcome;
    await v.clock.advance(2000);
    expect(draftRequests(v)).toEqual(["hello", "deleted"]);
    await closeCore(v);
  });
  test("R-DRAFT-3: leaving the channel saves the draft at once, and closing the core does too", async () => {
    const v = await core({ drafts: true });
    const composer = v.core.composer(place);
    composer.typed("a", 1);
    v.core.left(CID);
    await v.clock.settle();
    expect(draftRequests(v)).toEqual(["a"]);
    composer.typed("ab", 2);
    await closeCore(v);
    expect(draftRequests(v)).toEqual(["a", "ab"]);
  });
  test("R-DRAFT-3: closing without a connection asks the provider for nothing", async () => {
    const v = await core({ drafts: true });
    v.core.composer(place).typed("a", 1);
    v.sockets.last.handlers.close(1006, "");
    await v.clock.settle();
    await closeCore(v);
    expect(draftRequests(v)).toEqual([]);
  });
  test("R-DRAFT-5: an empty composer loads the saved draft with its quote and files; one with a text keeps its own", async () => {
    const file = { type: "file", asset_url: "http://f/x" };
    const stored = draft("hello", 50, { quoted_message_id: "m7", attachments: [file] });
    const v = await core({ drafts: true }, channel([msg(7)], { members: [bob], draft: stored }));
    const composer = v.core.composer(place);
    composer.open();
    expect(composer.state()).toMatchObject({
      text: "hello",
      quotedMessageId: "m7",
      carried: [file],
      revision: 1,
    });
    composer.send();
    await v.clock.settle();
    expect(sentMessages(v)).toMatchObject([
      { message: { text: "hello", attachments: [file], quoted_message_id: "m7" } },
    ]);
    const typing = await core({ drafts: true }, channel([], { members: [bob], draft: stored }));
    typing.core.composer(place).typed("mine", 4);
    typing.core.composer(place).open();
    expect(typing.core.composer(place).state().text).toBe("mine");
    await closeCore(typing);
    await closeCore(v);
  });
  test("R-DRAFT-5: a composer opened before its channel is loaded takes the saved draft once the channel arrives", async () => {
    const v = await core({ drafts: true }, channel([], { members: [bob], draft: draft("hello") }));
    await closeCore(v);
    const late = virtualCore(
      { drafts: true },
      {},
      {
        "POST /channels/messaging/kitchen/query": () =>
          jsonReply({ ...channel([], { draft: draft("hello") }), duration: "" }, 201),
      },
    );
    late.core.setUser({ id: "mira" }, miraToken());
    const composer = late.core.composer(place);
    composer.open();
    expect(composer.state().text).toBe("");
    await late.core.watch(CID);
    expect(composer.state().text).toBe("hello");
    await closeCore(late);
  });
  test("R-DRAFT-7: another device's draft replaces or clears an untouched composer, never an edited one", async () => {
    const v = await core({ drafts: true }, channel([], { members: [bob], draft: draft("hello") }));
    const composer = v.core.composer(place);
    composer.open();
    await receiveDraft(v, "draft.updated", draft("hello there", 200));
    expect(composer.state()).toMatchObject({ text: "hello there", revision: 2 });
    expect(draftOf(v.core, place)?.text).toBe("hello there");
    await receiveDraft(v, "draft.deleted", draft("hello there", 200));
    expect(composer.state()).toMatchObject({ text: "", revision: 3 });
    composer.typed("mine", 4);
    await receiveDraft(v, "draft.updated", draft("theirs", 1001), 1001);
    expect(composer.state().text).toBe("mine");
    await closeCore(v);
  });
  test("R-DRAFT-10: a draft for some members is not copied, its earlier copy is deleted, and no other draft replaces it", async () => {
    const store = { ...createMemoryStore("mira"), close: () => {} };
    const v = await core({ drafts: true }, undefined, {}, { store });
    const composer = v.core.composer(place);
    composer.open();
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    composer.onlyFor(["bob"]);
    composer.typed("hello bob", 9);
    await v.clock.advance(2000);
    expect(draftRequests(v)).toEqual(["hello", "deleted"]);
    await closeCore(v);
    const restarted = await core({ drafts: true }, undefined, {}, { store });
    const box = restarted.core.composer(place);
    box.open();
    await receiveDraft(restarted, "draft.updated", draft("theirs", 1001), 1001);
    await receiveDraft(restarted, "draft.deleted", draft("theirs", 1001), 1002);
    expect(box.state()).toMatchObject({ text: "hello bob", onlyFor: ["bob"] });
    await closeCore(restarted);
    expect(draftRequests(restarted)).toEqual([]);
  });
  test("R-DRAFT-8: a saved draft contains finished uploads and no unfinished ones", async () => {
    const gate = Promise.withResolvers<FakeAnswer>();
    const v = await core({ drafts: true }, undefined, {
      "POST /channels/messaging/kitchen/image": () => gate.promise,
    });
    const composer = v.core.composer(place);
    composer.typed("look", 4);
    const added = composer.attachments.add(["a.png"]);
    await v.clock.advance(1000);
    gate.resolve(jsonReply({ file: "http://f/a", duration: "" }, 201));
    await added;
    await v.clock.advance(1000);
    const savedFiles = v.calls
      .filter(({ what: eventDraft }) => eventDraft === `POST ${DRAFT}`)
      .map(({ body }) => (body.message as { attachments?: unknown[] }).attachments?.length ?? 0);
    expect(savedFiles).toEqual([0, 1]);
    await closeCore(v);
  });
});

describe("drafts on this machine", () => {
  test("after a restart a draft has its quote and its uploaded files, and unfinished files are uploaded again", async () => {
    // Both runs share a store: the first leaves it open.
    const store = { ...createMemoryStore("mira"), close: () => {} };
    const gate = Promise.withResolvers<FakeAnswer>();
    const v = await core({}, undefined, {}, { store });
    const composer = v.core.composer(place);
    composer.typed("look", 4);
    composer.quote("m7");
    await composer.attachments.add(["up.png"]);
    v.on["POST /channels/messaging/kitchen/image"] = () => gate.promise;
    const waiting = composer.attachments.add(["/home/mira/late.png"]);
    await v.clock.advance(1000);
    await closeCore(v);
    gate.resolve(jsonReply({ file: "http://f/never", duration: "" }, 201));
    await waiting.catch(() => {});

    const restarted = await core({}, channel([msg(7)]), {}, { store });
    const box = restarted.core.composer(place);
    box.open();
    await restarted.clock.advance(1000);
    expect(box.state()).toMatchObject({
      text: "look",
      quotedMessageId: "m7",
      carried: [{ type: "image", image_url: "http://f/tea" }],
    });
    expect(box.attachments.state().uploads).toMatchObject([{ state: "finished" }]);
    box.send();
    await restarted.clock.settle();
    expect((sentMessages(restarted)[0]!.message as { attachments: unknown[] }).attachments).toHaveLength(2);
    expect(restarted.core.drafts()).toEqual([]);
    await closeCore(restarted);
  });

  test("undoing a clear restores the composition, but overwrites nothing newer", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    composer.typed("look", 4);
    composer.quote("m-1");
    await composer.attachments.add(["up.png"]);
    const cleared = composer.clear();
    expect(composer.state()).toMatchObject({ text: "", carried: [] });
    composer.putBack(cleared);
    expect(composer.state()).toMatchObject({
      text: "",
      quotedMessageId: "m-1",
      carried: [{ type: "image" }],
    });
    composer.quote("m-2");
    composer.putBack(cleared);
    expect(composer.state().quotedMessageId).toBe("m-2");
    await closeCore(v);
  });
});
