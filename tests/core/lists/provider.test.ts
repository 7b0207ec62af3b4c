/** Composers, drafts, lists, locations and server-side calls against the embedded provider. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { Core } from "../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { requestsOf, localSearch, readSearch } from "../../../src/model/search-query.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { signToken } from "../../../src/wire/token.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { LocalDraft } from "../../../src/core/store/store.ts";
import { coreOn } from "../../support/core-on.ts";
import { until } from "../../support/fake-provider.ts";
import { draftOf } from "../../support/drafts.ts";

const SECRET = "a secret that is long enough for a test";
const CID = "messaging:tea";
const place = { cid: CID };
let folder: string;
let provider: Provider;
const cores: Core[] = [];

async function join(id: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  const client = coreOn(provider.url, { apiKey: provider.apiKey, ...options });
  cores.push(client);
  await client.connectUser({ id, name: id.toUpperCase() }, signToken({ user_id: id }, SECRET));
  return client;
}
function server(): Core {
  const client = coreOn(provider.url, { apiKey: provider.apiKey, secret: SECRET });
  cores.push(client);
  return client;
}
async function joinTwo(options: Partial<CoreOptions> = {}): Promise<[Core, Core]> {
  const [mira, otto] = [await join("mira", options), await join("otto", options)];
  await mira.watch(CID, { members: ["mira", "otto"] });
  await otto.watch(CID);
  return [mira, otto];
}
async function sendText(client: Core, text: string, parentId?: string): Promise<Message> {
  const sent = client.send({ cid: CID, ...(parentId !== undefined && { parentId }) }, { text });
  const outcome = await sent.outcome;
  if (outcome.state !== "received") throw new Error(`not received: ${JSON.stringify(outcome)}`);
  return outcome.message;
}
const newest = (client: Core): Message | undefined => {
  const set = client
    .state()
    .channels.get(CID)
    ?.sets.find((each) => each.isLatest);
  return set?.messages.at(set.messages.length - 1);
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-lists-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
});
afterEach(async () => {
  await Promise.all(cores.splice(0).map((client) => client.close()));
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

describe("composers", () => {
  test("R-POLL-17: a poll arrives with its options and settings", async () => {
    const [mira, otto] = await joinTwo();
    const { poll } = mira.composer(place);
    poll.edit({ type: "name", value: "Drink?" });
    for (const [at, text] of ["Tea", "Milk"].entries())
      poll.edit({ type: "option", id: poll.state().form.options[at]!.id, text });
    poll.edit({ type: "maxVotes", value: "2" });
    const id = await poll.create();
    await until("otto has it", () => newest(otto)?.id === id && newest(otto)?.poll !== undefined);
    expect(newest(otto)?.poll).toMatchObject({
      name: "Drink?",
      max_votes_allowed: 2,
      options: [{ text: "Tea" }, { text: "Milk" }],
    });
  });
  test("R-ATT: a file is sent with its text, and the app's upload rules block another", async () => {
    const [mira, otto] = await joinTwo();
    await server().call("updateApp", { body: { file_upload_config: { blocked_file_extensions: [".exe"] } } });
    const good = path.join(folder, "tea.txt");
    const bad = path.join(folder, "tea.exe");
    await writeFile(good, "oolong");
    await writeFile(bad, "oolong");
    const composer = mira.composer(place);
    await composer.attachments.add([good, bad]);
    expect(composer.attachments.state().uploads).toMatchObject([
      { state: "finished" },
      { state: "blocked", reason: "blocked_file_extensions" },
    ]);
    composer.typed("see", 3);
    expect(await composer.send()!.outcome).toMatchObject({ state: "received" });
    await until("otto has it", () => newest(otto)?.text === "see");
    expect(newest(otto)?.attachments).toMatchObject([{ type: "file", title: "tea.txt", file_size: 6 }]);
  });
  test("R-MENT: members of a small channel are suggested locally, and the mention arrives", async () => {
    const [mira, otto] = await joinTwo();
    const composer = mira.composer(place);
    composer.typed("@ot", 3);
    expect(composer.suggestions.state().items).toMatchObject([{ id: "otto" }]);
    const [suggested] = composer.suggestions.state().items;
    composer.typed("@OTTO ", 6);
    composer.choose(suggested!, 0);
    composer.send();
    await until("otto has it", () => newest(otto)?.text === "@OTTO ");
    expect(newest(otto)?.mentioned_users).toMatchObject([{ id: "otto" }]);
  });
});

describe("drafts copied to the provider", () => {
  test("R-DRAFT: a draft shows on another untouched device, and sending deletes it on all untouched ones", async () => {
    const [desk, phone] = [await join("mira", { drafts: true }), await join("mira", { drafts: true })];
    await desk.watch(CID, { members: ["mira"] });
    await phone.watch(CID);
    const [here, there] = [desk.composer(place), phone.composer(place)];
    here.open();
    there.open();
    here.typed("half a thou", 11);
    await until("the phone has it", () => there.state().text === "half a thou");
    expect(draftOf(phone, place)?.text).toBe("half a thou");
    // A third client opens the composer and finds the draft.
    const tablet = await join("mira", { drafts: true });
    await tablet.watch(CID);
    tablet.composer(place).open();
    expect(tablet.composer(place).state().text).toBe("half a thou");
    there.typed("half a thought", 14);
    await there.send()!.outcome;
    await until(
      "the desk is empty: it was touched, so it keeps its text",
      () => newest(desk)?.text === "half a thought",
    );
    expect(here.state().text).toBe("half a thou");
    await until("the tablet is cleared", () => tablet.composer(place).state().text === "");
    const { drafts } = await phone.call("queryDrafts", { body: {} });
    expect(drafts).toEqual([]);
  });
  test("R-DRAFT-5, DR-5: the draft of a thread arrives with its parent message", async () => {
    const [desk, phone] = [await join("mira", { drafts: true }), await join("mira", { drafts: true })];
    await desk.watch(CID, { members: ["mira"] });
    const parent = await sendText(desk, "tea?");
    desk.composer({ cid: CID, parentId: parent.id }).typed("re", 2);
    desk.left(CID);
    await expect.poll(async () => (await desk.call("queryDrafts", { body: {} })).drafts.length).toBe(1);
    await phone.watch(CID);
    const reply = phone.composer({ cid: CID, parentId: parent.id });
    reply.open();
    expect(reply.state().text).toBe("re");
    phone.composer(place).open();
    expect(phone.composer(place).state().text).toBe("");
  });
  test("R-DRAFT-3: the last text is saved when the core closes", async () => {
    const mira = await join("mira", { drafts: true });
    await mira.watch(CID, { members: ["mira"] });
    mira.composer(place).typed("bye", 3);
    await mira.close();
    cores.splice(cores.indexOf(mira), 1);
    const again = await join("mira");
    const { drafts } = await again.call("queryDrafts", { body: {} });
    expect(drafts).toMatchObject([{ channel_cid: CID, message: { text: "bye" } }]);
  });
  test("R-DRAFT-3: a text typed while the core closes is saved, and afterwards the closed store is not used", async () => {
    const store = createMemoryStore();
    const savedDrafts: LocalDraft[] = [];
    const { saveDraft } = store;
    store.saveDraft = (draft) => {
      saveDraft(draft);
      if (savedDrafts.push(draft) === 1) queueMicrotask(() => composer.typed("bye", 3));
    };
    const client = coreOn(provider.url, { apiKey: provider.apiKey }, { store });
    await client.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
    await client.watch(CID, { members: ["mira"] });
    const composer = client.composer(place);
    composer.typed("by", 2);
    await client.close();
    client.composer(place).typed("too late", 8);
    expect([savedDrafts.at(-1)?.text, client.drafts()]).toEqual(["bye", []]);
  });
});

describe("lists", () => {
  test("R-THREAD: the thread list counts replies, marks read and unread, takes a title and shows new threads", async () => {
    const [mira, otto] = await joinTwo();
    const parent = await sendText(mira, "tea?");
    await sendText(otto, "yes", parent.id);
    await mira.threads.load();
    const firstThread = () => mira.threads.state().threads[0]!;
    expect(firstThread()).toMatchObject({ parent_message_id: parent.id, reply_count: 1, unread: 1 });
    await sendText(otto, "oolong", parent.id);
    await until("the reply is counted once", () => firstThread().reply_count === 2);
    expect(firstThread()).toMatchObject({ unread: 2, participant_count: 2 });
    expect(firstThread().latest_replies.map(({ text }) => text)).toEqual(["yes", "oolong"]);
    mira.threads.seen({ cid: CID, parentId: parent.id });
    expect(firstThread().unread).toBe(0);
    const ownRead = async () =>
      (await mira.threads.get(parent.id)).read?.find(({ user }) => user.id === "mira");
    await expect.poll(async () => (await ownRead())?.unread_messages).toBe(0);
    await mira.threads.update(parent.id, { set: { title: "Tea time", mood: "calm" } });
    expect(firstThread()).toMatchObject({
      title: "Tea time",
      mood: "calm",
      latest_replies: [{ text: "yes" }, { text: "oolong" }],
    });
    await expect(mira.threads.update(parent.id, { set: { read: [] } })).rejects.toThrow(
      "reserved thread field(s) cannot be set: read",
    );
    await mira.threads.markUnread({ cid: CID, parentId: parent.id });
    await until("unread again", () => firstThread().unread === 1);
    // A thread created after the list was loaded.
    const other = await sendText(mira, "milk?");
    await sendText(otto, "no", other.id);
    await until("it is unseen", () => mira.threads.state().unseen.includes(other.id));
    await mira.threads.load();
    expect(mira.threads.state()).toMatchObject({ unseen: [] });
    expect(mira.threads.state().threads).toHaveLength(2);
  });
  test("R-REM: a reminder is created by an offset, shows a notice when due, becomes a bookmark and is removed", async () => {
    const [mira] = await joinTwo();
    const message = await sendText(mira, "remember the tea");
    await mira.reminders.load();
    const reminder = await mira.reminders.create(message.id, mira.reminders.offsets[0]!);
    expect(mira.reminders.kind(reminder)).toBe("upcoming");
    expect(mira.reminders.state().items).toMatchObject([{ message_id: message.id }]);
    provider.advance(121_000);
    await until("it is due", () => mira.state().notices.some(({ text }) => text === "A reminder is due"));
    expect(mira.state().notices.at(-1)).toMatchObject({ reason: "remember the tea" });
    expect(mira.reminders.state().items).toHaveLength(1);
    await mira.reminders.update(message.id, null);
    expect(mira.reminders.kind(mira.reminders.state().items[0]!)).toBe("bookmark");
    await mira.reminders.remove(message.id);
    expect(mira.reminders.state().items).toEqual([]);
  });
  test("R-SEARCH: typing finds messages, and more loads the next page", async () => {
    const [mira, otto] = await joinTwo();
    for (let n = 0; n < 12; n++) await sendText(n % 2 ? mira : otto, `oolong ${n}`);
    const search = mira.search({ filter_conditions: { members: { $in: ["mira"] } } });
    search.type("ool");
    await until("a page", () => search.state().results.length === 10);
    expect(search.more()).toBe(true);
    await until("the rest", () => search.state().results.length === 12);
    expect(search.state().next).toBeUndefined();
    expect(new Set(search.state().results.map(({ id }) => id)).size).toBe(12);
    expect(search.state().results[0]!.channel?.cid).toBe(CID);
  });
  test("R-SEARCH-4: a message that just arrived is found before the cache has written it", async () => {
    const mira = await join("mira");
    await mira.watch(CID, { members: ["mira"] });
    const messageArrived = new Promise((resolve) => mira.on("message.new", resolve));
    await sendText(mira, "oolong of this moment");
    await messageArrived;
    const query = readSearch("oolong", { now: Date.now() });
    const resolved = { users: [], cids: [] };
    const requests = requestsOf(query, resolved, "mira");
    const search = mira.search(requests.scope);
    search.type(requests.query, { ...requests.scope, held: localSearch(query, resolved) });
    expect(search.state()).toMatchObject({ held: true, results: [{ text: "oolong of this moment" }] });
  });
  test("R-SEARCH-4: the local search answers every search token as the provider does", async () => {
    const [mira, otto] = await joinTwo();
    const first = await sendText(mira, "Oolong über alles");
    await sendText(otto, "more oolong please");
    await sendText(mira, "no tea at all");
    await otto.pin(await sendText(otto, "a pinned oolong"), true);
    await sendText(otto, "about the first", first.id);
    const link = { type: "article", og_scrape_url: "https://tea.example/" };
    for (const attachment of [{ type: "image" }, { type: "file" }, link]) {
      const sent = otto.send({ cid: CID }, { text: `with ${attachment.type}`, attachments: [attachment] });
      expect(await sent.outcome).toMatchObject({ state: "received" });
    }
    // A page updates loaded messages: the replies and the pin.
    await mira.watch(CID);
    const search = async (typed: string): Promise<{ held: string[]; answered: string[] }> => {
      const query = readSearch(typed, { now: Date.now() });
      expect(query.faults).toEqual([]);
      const resolved = { users: query.from, cids: query.in };
      const requests = requestsOf(query, resolved, "mira");
      const search = mira.search(requests.scope);
      search.type(requests.query, { ...requests.scope, limit: 20, held: localSearch(query, resolved) });
      const held = search.state().results.map(({ text }) => text);
      expect(search.state()).toMatchObject({ held: true, loading: true });
      await until("the answer", () => !search.state().loading);
      expect([typed, search.state().error]).toEqual([typed, undefined]);
      return { held, answered: search.state().results.map(({ text }) => text) };
    };
    for (const [typed, count] of [
      ["oolong", 3],
      ["OOL uber", 1],
      ["ong", 0],
      ["from:mira", 2],
      ["oolong from:otto", 2],
      [`in:${CID} sort:newest`, 7],
      ["in:messaging:none oolong", 0],
      ["after:1h oolong", 3],
      ["before:1h oolong", 0],
      ["has:image", 1],
      ["has:file", 1],
      ["has:link", 1],
      ["has:link has:image", 0],
      ["is:pinned", 1],
      ["is:pinned from:otto after:1h before:tomorrow has:file ool", 0],
    ] as const) {
      const { held, answered } = await search(typed);
      expect([typed, answered.filter((text) => text !== "about the first").toSorted()]).toEqual([
        typed,
        held.toSorted(),
      ]);
      expect([typed, held.length]).toEqual([typed, count]);
    }
    // Replies are not loaded.
    const { held, answered } = await search("is:thread");
    expect([held, answered.toSorted()]).toEqual([
      ["Oolong über alles"],
      ["Oolong über alles", "about the first"],
    ]);
  });
  test("members are loaded page by page", async () => {
    const [mira] = await joinTwo();
    const members = mira.members(CID, { limit: 1 });
    await members.load();
    await members.more();
    expect(
      members
        .state()
        .items.map(({ user_id }) => user_id)
        .toSorted(),
    ).toEqual(["mira", "otto"]);
  });
});

test("R-LOC: a live location is shared, seen moving by others, not tracked by another device, and stopped", async () => {
  const [mira, otto] = await joinTwo();
  const trackingChanges: boolean[] = [];
  mira.locations.onTracking((run) => trackingChanges.push(run));
  const composer = mira.composer(place);
  composer.locate({ latitude: 52.37, longitude: 4.89, duration: 600_000 });
  const sent = composer.send()!;
  expect(await sent.outcome).toMatchObject({ state: "received" });
  await until("it is tracked", () => mira.locations.state().tracked.length === 1);
  mira.locations.position(52.38, 4.9);
  await until("otto sees it move", () => newest(otto)?.shared_location?.latitude === 52.38);
  // Another device of mira shows the location and does not track it.
  const phone = await join("mira");
  await phone.watch(CID);
  await until("the phone knows", () => phone.locations.state().elsewhere.length === 1);
  expect(phone.locations.state().tracked).toEqual([]);
  await mira.locations.stop(sent.id);
  await until("the phone knows the end", () => phone.locations.state().elsewhere.length === 0);
  expect(trackingChanges).toEqual([true, false]);
});

describe("calls with an app secret", () => {
  test("create, read, schedule, stop and delete a campaign", async () => {
    await join("mira");
    const admin = server();
    const { campaign } = await admin.call("createCampaign", {
      body: {
        sender_id: "mira",
        message_template: { text: "hello" },
        channel_template: { type: "messaging", id: "news" },
        create_channels: true,
        user_ids: ["mira"],
      },
    });
    expect(campaign.status).toBe("draft");
    const path = { id: campaign.id };
    expect((await admin.call("getCampaign", { path })).campaign.id).toBe(campaign.id);
    const later = { scheduled_for: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await admin.call("startCampaign", { path, body: later })).campaign.status).toBe("scheduled");
    expect((await admin.call("stopCampaign", { path, body: {} })).campaign.status).toBe("stopped");
    await admin.call("deleteCampaign", { path });
    await expect(admin.call("getCampaign", { path })).rejects.toMatchObject({ code: 16 });
  });
  test("register the device of the handshake, delete users and revoke tokens", async () => {
    const client = coreOn(provider.url, { apiKey: provider.apiKey });
    cores.push(client);
    client.setLocalDevice({ id: "tok-1", push_provider: "firebase" });
    const own = await client.connectUser({ id: "mira" }, signToken({ user_id: "mira", iat: 1 }, SECRET));
    expect(own.devices).toMatchObject([{ id: "tok-1", push_provider: "firebase" }]);
    const admin = server();
    await join("otto");
    const { task_id } = await admin.call("deleteUsers", { body: { user_ids: ["otto"], user: "soft" } });
    expect(task_id).toMatch(/.+/);
    const set = { revoke_tokens_issued_before: new Date().toISOString() };
    await admin.call("updateUsersPartial", { body: { users: [{ id: "mira", set }] }, server: true });
    await expect(client.call("getUnread")).rejects.toMatchObject({ code: 40 });
  });
});
