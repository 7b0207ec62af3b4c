/** Inbox, Threads, Later and Drafts with a running provider: reading or removing here also takes effect there. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../../src/provider/provider.ts";
import { openChannel } from "../../../../src/tui/navigation/open-channel.ts";
import { loadChannels } from "../../../../src/tui/start/load.ts";
import { listCounts, userLists, type ListName } from "../../../../src/tui/views/lists/lists.ts";
import { signToken } from "../../../../src/wire/token.ts";
import { coreOn } from "../../../support/core-on.ts";
import { until } from "../../../support/fake-provider.ts";
import { realScreen, type RealScreen } from "../../../support/real-screen.ts";

const SECRET = "a secret that is long enough for a test";
const CID = "messaging:tea";
let folder: string;
let provider: Provider;
let screen: RealScreen;
let mira: Core;
let otto: Core;
const ends: (() => unknown)[] = [];

async function join(id: string): Promise<Core> {
  const made = coreOn(provider.url, { apiKey: provider.apiKey, drafts: true });
  ends.push(() => made.close());
  await made.connectUser({ id, name: id }, signToken({ user_id: id }, SECRET));
  return made;
}
async function sendText(client: Core, text: string, parentId?: string): Promise<string> {
  const sent = client.send({ cid: CID, ...(parentId !== undefined && { parentId }) }, { text });
  expect((await sent.outcome).state).toBe("received");
  return sent.id;
}
const entries = (list: ListName) => userLists[list].entries(screen.ports.store.get());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-views-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
  [mira, otto] = [await join("mira"), await join("otto")];
  await mira.watch(CID, { members: ["mira", "otto"] });
  await otto.watch(CID);
  await loadChannels(mira);
  screen = realScreen(mira);
});
afterEach(async () => {
  screen.close();
  await Promise.all(ends.splice(0).map((end) => end()));
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

/** The provider's count of replies in the thread that mira has not read. */
async function unreadThere(parentId: string): Promise<number | undefined> {
  const { thread } = await mira.call("getThread", { path: { message_id: parentId }, query: {} });
  return thread.read?.find(({ user }) => user.id === "mira")?.unread_messages;
}
/** Waits until undo is offered: the provider has accepted the read marks by then. */
const untilOffered = (): Promise<void> =>
  until("it can be taken back", () => screen.ports.store.screen.takeBacks.length > 0);

/** Polls the provider until it reports this count. */
async function untilThere(parentId: string, unread: number): Promise<void> {
  while (((await unreadThere(parentId)) ?? 0) !== unread)
    await new Promise((resolve) => setImmediate(resolve));
}

test("R-THREAD-3: a thread opened from the list and shown to its end is read, here and at the provider", async () => {
  const parent = await sendText(mira, "deploy at ten?");
  await sendText(otto, "after the freeze", parent);
  await sendText(otto, "or before", parent);
  screen.press("A-t");
  await until("the thread is listed", () => entries("threads")[0]?.newCount === 2);
  expect(entries("threads")[0]?.lines).toEqual([
    { author: "you", text: "deploy at ten?" },
    { author: "otto", text: "or before" },
  ]);
  screen.press("enter");
  await until("it is read here", () => entries("threads")[0]?.newCount === 0);
  await untilThere(parent, 0);
  expect(listCounts(screen.ports.store.get()).threads).toBe(0);
  // The event of a reply in a watched channel carries no unread sum, and a thread that is not loaded is fetched.
  const other = await sendText(otto, "lunch?");
  await sendText(mira, "soon", other);
  await sendText(otto, "now", other);
  await until("the new thread is counted", () => listCounts(screen.ports.store.get()).threads === 1);
  expect(entries("threads").map(({ key, newCount }) => [key, newCount])).toEqual([
    [other, 1],
    [parent, 0],
  ]);
});

test("x marks a thread read without opening it, and undo marks it unread from the newest reply on (TH-10)", async () => {
  const parent = await sendText(mira, "deploy at ten?");
  await sendText(otto, "yes", parent);
  screen.press("A-t");
  await until("the thread is listed", () => entries("threads")[0]?.newCount === 1);
  screen.press("x");
  await untilOffered();
  expect(entries("threads")[0]?.newCount).toBe(0);
  await untilThere(parent, 0);
  screen.press("C-_");
  await untilThere(parent, 1);
  await until("it is new here, too", () => entries("threads")[0]?.newCount === 1);
});

test("the whole Inbox is marked read at once, and undone together from the first unread messages", async () => {
  await mira.watch("messaging:ops", { members: ["mira", "otto"] });
  const first = await sendText(otto, "one");
  await sendText(otto, "two");
  await otto.watch("messaging:ops");
  const sent = otto.send({ cid: "messaging:ops" }, { text: "look @mira" });
  await sent.outcome;
  screen.press("A-i");
  await until("both wait", () => entries("inbox").length === 2);
  const before = entries("inbox").map(({ key, newCount }) => [key, newCount]);
  screen.press("A");
  await until("nothing waits", () => entries("inbox").length === 0);
  const there = async (): Promise<number> => (await mira.call("getUnread")).total_unread_count;
  while ((await there()) > 0) await new Promise((resolve) => setImmediate(resolve));
  await untilOffered();
  screen.press("C-_");
  await until("both wait again", () => entries("inbox").length === 2);
  expect(entries("inbox").map(({ key, newCount }) => [key, newCount])).toEqual(before);
  expect(mira.state().channels.get(CID)?.firstUnreadId).toBe(first);
  expect(await there()).toBe(3);
});

test("R-REM-2: a message is saved by key, given a time, and opened when it is due", async () => {
  const id = await sendText(otto, "water the plants");
  await until("it has come", () => (mira.state().channels.get(CID)?.sets[0]?.messages.length ?? 0) > 0);
  openChannel(screen.ports, CID);
  screen.press("esc", "s");
  await until(
    "it is kept",
    () => mira.state().channels.get(CID)?.sets[0]?.messages.at(0)?.reminder !== undefined,
  );
  screen.press("A-r");
  await until("it is listed", () => entries("later").length === 1);
  expect(entries("later")[0]).toMatchObject({
    group: "Someday",
    lines: [{ author: "otto", text: "water the plants" }],
  });
  screen.press("R", ..."2h", "enter");
  await until("it has a time", () => entries("later")[0]?.group === "Upcoming");
  const { items } = mira.reminders.state();
  expect(Date.parse(items[0]!.remind_at!)).toBeGreaterThan(mira.providerNow() + 7_000_000);
  provider.advance(2 * 3_600_000);
  await until("it is due", () => mira.state().notices.some(({ text }) => text === "A reminder is due"));
  screen.press("esc", "esc", "A-o");
  await until("it is gone to", () => screen.ports.store.screen.views.get(CID)?.selected === id);
});

test("a reply to a hard-deleted thread is refused, its text and files return to the box, and nothing stays unsent", async () => {
  const parent = await sendText(otto, "shall we move it?");
  await until("it is here", () => mira.state().channels.get(CID)!.sets[0]!.messages.indexOf(parent) >= 0);
  openChannel(screen.ports, CID);
  screen.press("esc", "r");
  const place = { cid: CID, parentId: parent };
  await until("its thread is open", () => screen.ports.boxes.place?.parentId === parent);
  await otto.call("deleteMessage", { path: { id: parent }, query: { hard: true } });
  await until("it is gone", () => mira.state().channels.get(CID)!.sets[0]!.messages.indexOf(parent) < 0);
  const file = path.join(folder, "tea.txt");
  await writeFile(file, "oolong");
  await screen.ports.boxes.composer(place).attachments.add([file]);
  screen.press(..."yes", "enter");
  await until("it is back", () => screen.ports.boxes.at(place).carried.length > 0);
  const { editor, carried } = screen.ports.boxes.at(place);
  expect([editor.text, carried]).toMatchObject(["yes", [{ type: "file", title: "tea.txt" }]]);
  await until("nothing waits", () => mira.state().outbox === 0);
  expect(mira.unsent()).toEqual([]);
});

test("R-DRAFT-9: drafts of another device are listed, opened with their text, and discarded there, too", async () => {
  const parent = await sendText(otto, "deploy at ten?");
  const phone = await join("mira");
  const path = { type: "messaging", id: "tea" };
  const saved = { text: "rather at eleven", parent_id: parent };
  await phone.call("saveDraft", { path, body: { message: { id: "mira-1", ...saved } } });
  screen.press("A-e");
  await until("it is listed", () => entries("drafts").length === 1);
  expect(entries("drafts")[0]).toMatchObject({
    lines: [{ text: "rather at eleven" }],
    place: { cid: CID, parentId: parent },
  });
  screen.press("enter");
  const place = { cid: CID, parentId: parent };
  await until("its text is here", () => screen.ports.boxes.at(place).editor.text === "rather at eleven");
  screen.press("esc", "esc", "esc");
  await phone.call("saveDraft", { path, body: { message: { id: "mira-2", text: "milk" } } });
  await until("the other one is listed", () =>
    entries("drafts").some(({ lines }) => lines[0]?.text === "milk"),
  );
  screen.press("A-e");
  while (entries("drafts").length > 0) screen.press("g", "x");
  const there = async (): Promise<number> => (await phone.call("queryDrafts", { body: {} })).drafts.length;
  while ((await there()) > 0) await new Promise((resolve) => setImmediate(resolve));
});

test("drafts of another device from before the start are listed once this one is connected", async () => {
  await otto.call("saveDraft", {
    path: { type: "messaging", id: "tea" },
    body: { message: { id: "otto-1", text: "from before" } },
  });
  const later = await join("otto");
  await until("it is loaded", () => later.providerDrafts.state()[0]?.text === "from before");
  const second = realScreen(later);
  ends.push(() => second.close());
  expect(userLists.drafts.entries(second.ports.store.get()).map(({ lines }) => lines[0]?.text)).toEqual([
    "from before",
  ]);
});
