/** What is deleted is deleted: nothing of it is sent again or stays in the event log, in waiting webhooks and in stored answers (specification/embedded-provider.md §5). */
import { beforeEach, describe, expect, test } from "vitest";
import { enqueue } from "../../../src/provider/hooks/queue.ts";
import { writeApp } from "../../../src/provider/store/app-settings.ts";
import { openDatabase } from "../../../src/provider/store/open.ts";
import { queueErasure } from "../../../src/provider/store/erasures.ts";
import { textWithoutGone } from "../../../src/provider/store/copies.ts";
import { chat } from "../../../src/provider/chat.ts";
import { SimProvider } from "../../sim/provider.ts";
import { dice } from "../../support/seeded.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

type Json = Record<string, unknown>;

let clock: VirtualClock;
let provider: SimProvider;
let began: string;
let discarded: string[];

const call = (as: string | undefined, method: string, path: string, body?: Json, more = {}): Promise<Json> =>
  provider.call(as, method, path, body, more);
const send = (as: string, id: string, message: Json, channel = "messaging/tea"): Promise<Json> =>
  call(as, "POST", `/channels/${channel}/message`, { message: { id, ...message } });
const sync = async (as = "ben", cids = ["messaging:tea"], since = began): Promise<Json[]> =>
  (await call(as, "POST", "/sync", { channel_cids: cids, last_sync_at: since })).events as Json[];
/** Everything that the provider keeps apart from rows of their own. */
const stored = (): string => {
  provider.runDue();
  return ["event_log", "hook_queue", "done_once"]
    .flatMap((table) => provider.db.all(`SELECT * FROM ${table}`))
    .map((row) => JSON.stringify(row))
    .join("\n");
};
const create = (as: string, id = "tea", members = ["ada", "ben"]): Promise<Json> =>
  call(as, "POST", `/channels/messaging/${id}/query`, { state: true, data: { members, name: "TEAROOM" } });

beforeEach(async () => {
  clock = new VirtualClock();
  const random = dice(7);
  discarded = [];
  provider = new SimProvider(clock, random, {
    uploads: { discard: (path) => void discarded.push(path) },
    hook: (event, time) =>
      void enqueue(provider.db, {
        event,
        time,
        extras: () => ({}),
        request: undefined,
        serialize: (body) => JSON.stringify(body),
        onRemoteUrl: () => {},
      }),
  });
  writeApp(provider.db, { webhook_url: "http://127.0.0.1:9/hook" });
  for (const id of ["ada", "ben", "cyd"])
    await call(undefined, "POST", "/users", { users: { [id]: { id, name: `NAME-${id}` } } });
  began = new Date(clock.now()).toISOString();
  await clock.advance(1000);
  await create("ada");
});

describe("messages", () => {
  test.each(["", "?hard=true"])(
    "DELETE%s: quotes, polls, reactions and edits of it are emptied everywhere",
    async (how) => {
      await call("ada", "POST", "/polls", { id: "p", name: "POLLTEXT", options: [{ text: "OPTTEXT" }] });
      await call(
        "ada",
        "POST",
        "/channels/messaging/tea/message",
        {
          message: {
            id: "m",
            text: "FIRSTTEXT",
            poll_id: "p",
            note: "CUSTOMTEXT",
            attachments: [{ title: "FILETEXT" }],
          },
        },
        { key: "k" },
      );
      await call("ada", "POST", "/messages/m", { message: { text: "SECONDTEXT", poll_id: "p" } });
      await call("ben", "POST", "/messages/m/polls/p/vote", {
        vote: { option_id: "x", answer_text: "ANSWERTEXT" },
      });
      await call("ben", "POST", "/messages/m/reaction", { reaction: { type: "love", why: "REACTTEXT" } });
      await send("ben", "q", { text: "about it", quoted_message_id: "m" });
      await call("ada", "DELETE", `/messages/m${how}`);
      const events = await sync();
      expect(JSON.stringify(events).match(/[A-Z]+TEXT/g)).toBeNull();
      expect(events.map(({ type }) => type)).toContain("message.deleted");
      expect(stored().match(/[A-Z]+TEXT/g)).toBeNull();
      const again = await call(
        "ada",
        "POST",
        "/channels/messaging/tea/message",
        { message: { id: "m", text: "FIRSTTEXT" } },
        { key: "k" },
      );
      expect(JSON.stringify(again)).not.toContain("TEXT");
    },
  );

  test("an undeletion brings the content back, also for who was away", async () => {
    await send("ada", "m", { text: "FIRSTTEXT" });
    await call("ada", "DELETE", "/messages/m");
    await call(undefined, "POST", "/messages/m/undelete", { undeleted_by: "ada" });
    provider.runDue();
    const events = await sync();
    expect(events.at(-1)).toMatchObject({ type: "message.undeleted", message: { text: "FIRSTTEXT" } });
  });

  test("a webhook that waits goes out without the content", async () => {
    await send("ada", "m", { text: "FIRSTTEXT" });
    const waiting = (): string[] => provider.db.column<string>("SELECT body FROM hook_queue");
    const before = waiting();
    expect(before.join("")).toContain("FIRSTTEXT");
    await call("ada", "DELETE", "/messages/m?hard=true");
    for (const body of before)
      expect(textWithoutGone(provider.db, body, chat.findGone!)).not.toContain("FIRSTTEXT");
    provider.runDue();
    expect(waiting().join("")).toContain("message.new");
    expect(waiting().join("")).not.toContain("FIRSTTEXT");
  });
});

test.each([1, 130])(
  "the title of a thread, changed %i times, goes with its message, also when that was only hidden at first",
  async (changes) => {
    await send("ada", "m", { text: "FIRSTTEXT" });
    await send("ada", "r", { text: "a reply", parent_id: "m" });
    await call("ada", "DELETE", "/messages/m");
    for (let n = 0; n < changes; n++)
      await call("ada", "PATCH", "/threads/m", { set: { title: `TITLETEXT ${n}` } });
    provider.runDue();
    expect(stored()).toContain("TITLETEXT");
    expect(stored()).not.toContain("FIRSTTEXT");
    await call("ada", "DELETE", "/messages/m?hard=true");
    provider.runDue();
    expect(stored().match(/[A-Z]+TEXT/g)).toBeNull();
  },
);

test("replies that are shown beside their thread are announced as gone with its first message, the others are not", async () => {
  await send("ada", "m", { text: "FIRST" });
  const reply = { text: "REPLY", parent_id: "m" };
  await send("ada", "plain", reply);
  await send("ada", "shown", { ...reply, show_in_channel: true });
  await send("ada", "pinned", { ...reply, pinned: true });
  const shared = { latitude: 1, longitude: 2, created_by_device_id: "d", end_at: "2027-01-01T00:00:00Z" };
  await send("ada", "located", { ...reply, shared_location: shared });
  await call("ada", "DELETE", "/messages/m?hard=true");
  const gone = (await sync()).flatMap((event) =>
    event.type === "message.deleted" ? [(event.message as { id: string }).id] : [],
  );
  expect(gone.toSorted()).toEqual(["located", "m", "pinned", "shown"]);
});

test("a message that was emptied and comes back at once leaves nothing of its text behind", async () => {
  const ban = { target_user_id: "ada", banned_by_id: "ben", type: "messaging", id: "tea", timeout: 1 };
  await send("ada", "m", { text: "FIRSTTEXT", note: "CUSTOMTEXT" });
  await send("ben", "q", { text: "see above", quoted_message_id: "m" });
  await call(undefined, "POST", "/moderation/ban", { ...ban, delete_messages: "pruning" });
  await call(undefined, "POST", "/messages/m/undelete", { undeleted_by: "ben" });
  const events = await sync();
  expect(events.at(-1)).toMatchObject({ type: "message.undeleted", message: { id: "m", text: "" } });
  expect(JSON.stringify(events)).not.toMatch(/FIRSTTEXT|CUSTOMTEXT/);
  expect(stored()).not.toMatch(/FIRSTTEXT|CUSTOMTEXT/);
});

describe("channels", () => {
  test.each([1, 400])("a truncation of %i messages leaves none of their texts", async (count) => {
    for (let n = 0; n < count; n++) await send("ada", `m${n}`, { text: `FIRSTTEXT ${n}` });
    await call("ada", "POST", "/channels/messaging/tea/truncate", {});
    expect(JSON.stringify(await sync())).not.toContain("FIRSTTEXT");
    expect(stored()).not.toContain("FIRSTTEXT");
  });

  test.each([1, 400])(
    "who creates a deleted channel of %i messages again reads nothing of it",
    async (count) => {
      for (let n = 0; n < count; n++) await send("ada", `m${n}`, { text: `FIRSTTEXT ${n}` });
      await call(undefined, "DELETE", "/channels/messaging/tea?hard_delete=true");
      await create("cyd", "tea", ["cyd"]);
      const read = async (): Promise<string> => JSON.stringify(await sync("cyd"));
      expect(await read()).not.toMatch(/FIRSTTEXT|NAME-ben/);
      provider.runDue();
      expect(await read()).toContain("channel.created");
      expect(await read()).not.toMatch(/FIRSTTEXT|NAME-ben/);
      expect(stored()).not.toContain("FIRSTTEXT");
    },
  );

  test("the ids of its messages stay taken", async () => {
    await send("ada", "m", { text: "FIRSTTEXT" });
    await call(undefined, "DELETE", "/channels/messaging/tea?hard_delete=true");
    await create("ada");
    expect(await send("ada", "m", { text: "again" })).toMatchObject({ code: 4 });
  });
});

test("freed bytes are overwritten in every database", () => {
  const db = openDatabase(":memory:", []);
  expect(db.value("PRAGMA secure_delete")).toBe(1);
  db.close();
});

test("what an older version left of deleted content is emptied once", async () => {
  await send("ada", "live", { text: "LIVETEXT" });
  const { db } = provider;
  const at = provider.now();
  const log = (cid: string, message: Json): void =>
    void db.run(
      "INSERT INTO event_log (cid, at, type, json) VALUES (?, ?, 'message.new', ?)",
      cid,
      at,
      JSON.stringify({ type: "message.new", cid, message: { cid, type: "regular", ...message } }),
    );
  log("messaging:tea", { id: "gone", text: "OLDTEXT" });
  log("messaging:lost", { id: "live", text: "OLDTEXT" });
  queueErasure(db, "upgrade", "copies");
  for (const id of ["files", "index", "pages"]) queueErasure(db, "upgrade", id);
  expect(stored()).not.toContain("OLDTEXT");
  expect(stored()).toContain("LIVETEXT");
  expect(db.value("SELECT count(*) FROM erasures")).toBe(0);
  expect(db.value("SELECT count(*) FROM blank_pages")).toBe(0);
});

describe("files", () => {
  const file = (n: number): string => `/files/0000000${n}-0000-4000-8000-000000000000/a.txt`;
  const attached = (n: number): Json => ({
    attachments: [{ type: "file", asset_url: `http://127.0.0.1:1${file(n)}?sig=1` }],
  });
  const upload = (n: number, cid: string | null = "messaging:tea"): void =>
    void provider.db.run(
      "INSERT INTO upload (path, cid, user_id, mime_type, size, created_at) VALUES (?, ?, 'ada', 'text/plain', 1, 1)",
      file(n),
      cid,
    );
  const kept = (): number[] => {
    provider.runDue();
    const left = provider.db.column<string>("SELECT path FROM upload ORDER BY path");
    expect(discarded.toSorted()).toEqual([1, 2, 3, 4].map(file).filter((each) => !left.includes(each)));
    return [1, 2, 3, 4].filter((n) => left.includes(file(n)));
  };

  beforeEach(() => [1, 2, 3, 4].forEach((n) => upload(n)));

  test("go with the last erased message that named them, also in an earlier version", async () => {
    await send("ada", "m1", attached(1));
    await send("ada", "m2", { ...attached(2), text: "two" });
    await send("ben", "again", { ...attached(2), text: "forwarded" });
    await send("ada", "m3", attached(3));
    await call("ada", "POST", "/messages/m3", { message: { text: "changed", ...attached(4) } });
    for (const id of ["m1", "m2"]) await call("ada", "DELETE", `/messages/${id}?hard=true`);
    expect(kept()).toEqual([2, 3, 4]);
    await call("ada", "DELETE", "/messages/m3?hard=true");
    expect(kept()).toEqual([2]);
    await call("ben", "DELETE", "/messages/again");
    expect(kept()).toEqual([2]);
    await call("ben", "DELETE", "/messages/again?hard=true");
    expect(kept()).toEqual([]);
  });

  test("go with a truncation, and with a channel also those that were never sent", async () => {
    await send("ada", "m1", attached(1));
    await call("ada", "PATCH", "/channels/messaging/tea", { set: { image: `http://127.0.0.1:1${file(2)}` } });
    await call("ada", "POST", "/channels/messaging/tea/truncate", {});
    expect(kept()).toEqual([2, 3, 4]);
    await call("ada", "POST", "/users", {
      users: { ada: { id: "ada", image: `http://127.0.0.1:1${file(3)}` } },
    });
    await call(undefined, "DELETE", "/channels/messaging/tea?hard_delete=true");
    expect(kept()).toEqual([3]);
  });

  test("stay while a draft names them", async () => {
    await send("ada", "m1", attached(1));
    await call("ada", "POST", "/channels/messaging/tea/draft", { message: attached(1) });
    await call("ada", "DELETE", "/messages/m1?hard=true");
    expect(kept()).toEqual([1, 2, 3, 4]);
  });
});

describe("users", () => {
  const remove = async (options: Json): Promise<void> => {
    await call(undefined, "POST", "/users/delete", { user_ids: ["ada"], ...options });
    provider.runDue();
  };

  test.each([
    ["soft", undefined],
    ["pruning", "pruning"],
    ["hard", "hard"],
  ])("messages %s: who was away gets user.messages.deleted and no text", async (messages, user) => {
    await send("ada", "m", { text: "FIRSTTEXT" });
    await send("ben", "q", { text: "quote", quoted_message_id: "m", mentioned_users: ["ada"] });
    await remove({ messages, ...(user && { user }), ...(user === "hard" && { conversations: "hard" }) });
    if (user === "hard") return expect(stored()).not.toMatch(/FIRSTTEXT|NAME-ada/);
    const events = await sync();
    expect(events.find(({ type }) => type === "user.messages.deleted")).toMatchObject({
      user: { id: "ada" },
      hard_delete: messages === "hard",
    });
    expect(JSON.stringify(events)).not.toContain("FIRSTTEXT");
    expect(stored()).not.toMatch(user ? /FIRSTTEXT|NAME-ada/ : /FIRSTTEXT/);
  });

  test("a token from before a hard deletion is refused, a newer one is not, and a server's account accepts both", async () => {
    const old = provider.token("ada");
    const use = (token: string): Promise<Json> => call("ada", "GET", "/unread", undefined, { token });
    await clock.advance(10);
    await remove({ user: "hard", messages: "hard", conversations: "hard" });
    expect(await use(old)).toMatchObject({ code: 5, StatusCode: 401 });
    await clock.advance(10);
    const newer = provider.token("ada");
    expect(await use(newer)).not.toHaveProperty("code");
    expect(await call("ada", "POST", "/drafts/query", {}, { token: newer })).not.toHaveProperty("code");
    expect(await use(old)).toMatchObject({ StatusCode: 401 });
    await remove({ user: "hard", messages: "hard", conversations: "hard" });
    await call(undefined, "POST", "/users", { users: { ada: { id: "ada" } } });
    expect(await use(old)).not.toHaveProperty("code");
  });

  test.each(["delete", "deactivate"])("their push devices go with a %s", async (how) => {
    await call("ada", "POST", "/devices", { id: "phone", push_provider: "apn" });
    if (how === "delete") await remove({ user: "soft" });
    else await call(undefined, "POST", "/users/ada/deactivate", {});
    expect(provider.db.has("SELECT 1 FROM devices")).toBe(false);
  });
});

test("a person's draft stands in no event about its message, and in no stored answer", async () => {
  await send("ada", "m", { text: "hello" });
  await call("ben", "POST", "/channels/messaging/tea/draft", {
    message: { text: "DRAFTTEXT", parent_id: "m" },
  });
  const { message } = (await call("ben", "GET", "/messages/m")) as { message: { draft?: unknown } };
  expect(JSON.stringify(message.draft)).toContain("DRAFTTEXT");
  await call("ben", "POST", "/messages/m/reaction", { reaction: { type: "love" } }, { key: "k1" });
  await call("ben", "POST", "/moderation/flag", { target_message_id: "m" });
  await call("ben", "POST", "/messages/m/reminders", {});
  await call("ben", "DELETE", "/messages/m?delete_for_me=true");
  await call("ben", "DELETE", "/channels/messaging/tea/draft?parent_id=m");
  const types = provider.db.column<string>("SELECT type FROM event_log");
  expect(types).toContain("message.deleted");
  expect(provider.db.column<string>("SELECT body FROM hook_queue").join()).toContain("message.flagged");
  expect(provider.db.column<string>("SELECT json FROM done_once").join()).toContain('"love"');
  expect(stored()).not.toContain("DRAFTTEXT");
});
