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
  const at0 = virtualCore(
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
  const connecting = at0.core.connectUser({ id: "mira" }, miraToken());
  await at0.clock.settle();
  at0.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(0),
    me: { ...me(), ...user("mira") },
  });
  await connecting;
  await at0.clock.settle();
  await at0.core.watch(CID);
  return at0;
}
/** Closes it, advancing the clock for the close of the socket. */
async function ended(v: VirtualCore): Promise<void> {
  const closing = v.core.close();
  await v.clock.advance(2000);
  await closing;
}
const posted = (v: VirtualCore): Record<string, unknown>[] =>
  v.calls.filter(({ what }) => what === POST).map(({ body }) => body);
const drafted = (v: VirtualCore): string[] =>
  v.calls
    .filter(({ what }) => what.endsWith(DRAFT))
    .map(({ what, body }) =>
      what.startsWith("POST") ? String((body.message as { text: string }).text) : "deleted",
    );

describe("one send", () => {
  test("R-SEND-4: files, mentions, previews and location make one message, then the composer is empty", async () => {
    const v = await core({ linkPreviews: true }, undefined, {
      "GET /og": () => jsonReply({ og_scrape_url: "https://tea.example", title: "Tea", duration: "80ms" }),
    });
    const composer = v.core.composer(place);
    expect(v.core.composer({ cid: CID })).toBe(composer);
    composer.open();
    composer.typed("@bo", 3);
    composer.suggestions.remember(composer.suggestions.state().items[0]!);
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
    const [body] = posted(v);
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
    expect(composer.suggestions.remembered()).toEqual([]);
    await ended(v);
  });
  test("R-SEND-1: an upload on its way: the warning, nothing sent, everything kept", async () => {
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
    expect(posted(v)).toEqual([]);
    composer.clear();
    await ended(v);
  });
  test("R-NOTE-3: the warning blocks no input, can be closed, and the send goes once the upload is gone", async () => {
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
    expect(posted(v)).toMatchObject([{ message: { text: "hi there" } }]);
    await ended(v);
  });
  test("R-SEND-2, R-SEND-3: too long by the composer's own setting, or empty: kept, no request", async () => {
    const v = await core({ maxTextLength: 5 });
    const composer = v.core.composer(place);
    composer.typed("sixsix", 6);
    expect(() => composer.send()).toThrow("6 of at most 5");
    composer.typed(" ", 1);
    expect(() => composer.send()).toThrow("empty");
    expect(composer.state().text).toBe(" ");
    expect(posted(v)).toEqual([]);
    await ended(v);
  });
  test("R-LOC-1: L-6 an invalid location is dropped and the rest goes, L-7 a location needs no text", async () => {
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
      posted(v).map(
        ({ message }) => (message as { shared_location?: unknown }).shared_location !== undefined,
      ),
    ).toEqual([false, true]);
    await ended(v);
  });
  test("R-LOC-1: none goes where locations are off", async () => {
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
      expect(posted(v)).toHaveLength(1);
      expect(JSON.stringify(posted(v))).not.toContain("shared_location");
      await ended(v);
    }
  });
  test("a reply goes to its thread and, when asked, to the channel too", async () => {
    const v = await core();
    const composer = v.core.composer({ cid: CID, parentId: "m1" });
    composer.typed("re", 2);
    composer.showInChannel(true);
    composer.send();
    await v.clock.settle();
    expect(posted(v)[0]).toMatchObject({ message: { parent_id: "m1", show_in_channel: true } });
    await ended(v);
  });
  test("R-POLL-17: a poll is made, sent with its id, and the text stays as it was", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    composer.typed("half a thou", 11);
    // The draft is on disk, where a send would delete it.
    await v.clock.advance(300);
    composer.poll.edit({ type: "name", value: "Drink?" });
    composer.poll.edit({ type: "option", id: composer.poll.state().form.options[0]!.id, text: "Tea" });
    const id = await composer.poll.create();
    await v.clock.settle();
    expect(posted(v)).toMatchObject([{ message: { id, text: "", poll_id: "p-1" } }]);
    expect(composer.state().text).toBe("half a thou");
    expect(draftOf(v.core, place)?.text).toBe("half a thou");
    await ended(v);
  });
  test("an edit goes out as an edit, what was written before comes back, and no draft is made of it (R-DRAFT-8)", async () => {
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
      v.calls.filter(({ what }) => what === "PUT /messages/m5").map(({ body }) => body.set),
    ).toMatchObject([{ text: "text five" }]);
    expect(composer.state()).toMatchObject({ text: "before" });
    expect(drafted(v)).toEqual(["before"]);
    await ended(v);
  });
});

describe("drafts with their copy", () => {
  const draft = (text: string, seconds = 50, more: Partial<Draft["message"]> = {}): Draft => ({
    channel_cid: CID,
    created_at: at(seconds),
    message: { id: "mira-9", text, ...more },
  });
  const heard = async (v: VirtualCore, type: string, what: Draft, seconds = 999): Promise<void> => {
    v.sockets.last.frame({ type, cid: CID, created_at: at(seconds), draft: what });
    await v.clock.advance(0);
  };
  test("R-DRAFT-1: with the feature off no draft call is made, whatever is done", async () => {
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
    await heard(v, "draft.updated", draft("theirs", 999));
    await ended(v);
    expect(drafted(v)).toEqual([]);
  });
  test("R-DRAFT-3, R-DRAFT-6: typed, saved after a rest, deleted by a send that arrived", async () => {
    const v = await core({ drafts: true });
    const composer = v.core.composer(place);
    composer.open();
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    expect(drafted(v)).toEqual(["hello"]);
    composer.send();
    await v.clock.advance(2000);
    expect(drafted(v)).toEqual(["hello", "deleted"]);
    await ended(v);
    expect(v.clock.timers).toEqual([]);
  });
  test("R-DRAFT-6: a failed send leaves the copy", async () => {
    const v = await core({ drafts: true }, undefined, { [POST]: (): FakeAnswer => errorReply(403, 17) });
    const composer = v.core.composer(place);
    composer.typed("hello", 5);
    await v.clock.advance(1000);
    await composer.send()!.outcome;
    await v.clock.advance(2000);
    expect(drafted(v)).toEqual(["hello"]);
    await ended(v);
  });
  test("R-DRAFT-8: an edit that was begun is not copied, and the box that a send emptied is", async () => {
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
    expect(drafted(v)).toEqual(["hello", "deleted"]);
    await ended(v);
  });
  test("R-DRAFT-3: leaving saves at once, and quitting too", async () => {
    const v = await core({ drafts: true });
    const composer = v.core.composer(place);
    composer.typed("a", 1);
    v.core.left(CID);
    await v.clock.settle();
    expect(drafted(v)).toEqual(["a"]);
    composer.typed("ab", 2);
    await ended(v);
    expect(drafted(v)).toEqual(["a", "ab"]);
  });
  test("R-DRAFT-5: an empty composer takes the copy, with its quote and files; one with a text keeps it", async () => {
    const file = { type: "file", asset_url: "http://f/x" };
    const stored = draft("hello", 50, { quoted_message_id: "m7", attachments: [file] });
    const v = await core({ drafts: true }, channel([], { members: [bob], draft: stored }));
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
    expect(posted(v)).toMatchObject([
      { message: { text: "hello", attachments: [file], quoted_message_id: "m7" } },
    ]);
    const own = await core({ drafts: true }, channel([], { members: [bob], draft: stored }));
    own.core.composer(place).typed("mine", 4);
    own.core.composer(place).open();
    expect(own.core.composer(place).state().text).toBe("mine");
    await ended(own);
    await ended(v);
  });
  test("R-DRAFT-5: a composer that was open before the channel came takes it when it comes", async () => {
    const v = await core({ drafts: true }, channel([], { members: [bob], draft: draft("hello") }));
    await ended(v);
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
    await ended(late);
  });
  test("R-DRAFT-7: another device replaces or clears an untouched composer, never a touched one", async () => {
    const v = await core({ drafts: true }, channel([], { members: [bob], draft: draft("hello") }));
    const composer = v.core.composer(place);
    composer.open();
    await heard(v, "draft.updated", draft("hello there", 200));
    expect(composer.state()).toMatchObject({ text: "hello there", revision: 2 });
    expect(draftOf(v.core, place)?.text).toBe("hello there");
    await heard(v, "draft.deleted", draft("hello there", 200));
    expect(composer.state()).toMatchObject({ text: "", revision: 3 });
    composer.typed("mine", 4);
    await heard(v, "draft.updated", draft("theirs", 1001), 1001);
    expect(composer.state().text).toBe("mine");
    await ended(v);
  });
  test("R-DRAFT-8: uploads that have not finished are not kept, finished ones are", async () => {
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
    const kept = v.calls
      .filter(({ what }) => what === `POST ${DRAFT}`)
      .map(({ body }) => (body.message as { attachments?: unknown[] }).attachments?.length ?? 0);
    expect(kept).toEqual([0, 1]);
    await ended(v);
  });
});

describe("a draft of this machine", () => {
  test("keeps files and quote over a restart: what is up is taken along, what is not goes up again", async () => {
    // Both runs share a store: the first leaves it open.
    const store = { ...createMemoryStore("mira"), close: () => {} };
    const gate = Promise.withResolvers<FakeAnswer>();
    const v = await core({}, undefined, {}, { store });
    const composer = v.core.composer(place);
    composer.typed("look", 4);
    composer.quote("m-1");
    await composer.attachments.add(["up.png"]);
    v.on["POST /channels/messaging/kitchen/image"] = () => gate.promise;
    const waiting = composer.attachments.add(["/home/mira/late.png"]);
    await v.clock.advance(1000);
    await ended(v);
    gate.resolve(jsonReply({ file: "http://f/never", duration: "" }, 201));
    await waiting.catch(() => {});

    const again = await core({}, undefined, {}, { store });
    const box = again.core.composer(place);
    box.open();
    await again.clock.advance(1000);
    expect(box.state()).toMatchObject({
      text: "look",
      quotedMessageId: "m-1",
      carried: [{ type: "image", image_url: "http://f/tea" }],
    });
    expect(box.attachments.state().uploads).toMatchObject([{ state: "finished" }]);
    box.send();
    await again.clock.settle();
    expect((posted(again)[0]!.message as { attachments: unknown[] }).attachments).toHaveLength(2);
    expect(again.core.drafts()).toEqual([]);
    await ended(again);
  });

  test("what was thrown away is put back, but never over something newer", async () => {
    const v = await core();
    const composer = v.core.composer(place);
    composer.typed("look", 4);
    composer.quote("m-1");
    await composer.attachments.add(["up.png"]);
    const thrown = composer.clear();
    expect(composer.state()).toMatchObject({ text: "", carried: [] });
    composer.putBack(thrown);
    expect(composer.state()).toMatchObject({
      text: "",
      quotedMessageId: "m-1",
      carried: [{ type: "image" }],
    });
    composer.quote("m-2");
    composer.putBack(thrown);
    expect(composer.state().quotedMessageId).toBe("m-2");
    await ended(v);
  });
});
