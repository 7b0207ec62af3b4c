/** Search: messages never found, an index that follows every change, stable pages, the limit of channels, query plans without scans. */
import {
  hasBacklog,
  indexBacklogPart,
  indexNewMessages,
  newIndexSchema,
} from "../../../src/provider/domain/search/storage/schema.ts";
import { describe, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chat } from "../../../src/provider/chat.ts";
import { attachmentMark, mentionMark, registerWords } from "../../../src/provider/domain/query/words.ts";
import { openDatabase as openFile } from "../../../src/provider/store/open.ts";
import { transportMigrations } from "../../../src/provider/store/transport.ts";
import { indexCondition } from "../../../src/provider/domain/search/storage/candidates.ts";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { dice } from "../../support/seeded.ts";
import { TestDomain, room, ROOM, type As } from "./support.ts";

type Found = { message: { id: string; text: string } }[];

function find(b: TestDomain, as: As, more: Record<string, unknown>): string[] {
  const { results } = b.call(as, "search", {
    body: { filter_conditions: { cid: "messaging:room" }, ...more },
  });
  return (results as Found).map(({ message }) => message.id);
}
const words = (b: TestDomain, as: As, query: string): string[] => find(b, as, { query });

/** Number of index entries that match, whether or not anybody may see their messages. */
const indexed = (b: TestDomain, query: string): number =>
  Number(
    b.db.get<{ n: number }>("SELECT count(*) AS n FROM search_index WHERE search_index MATCH ?", query)!.n,
  );

describe("messages that are never found (C2)", () => {
  test("are system messages and deleted ones", () => {
    const b = room();
    b.call({ server: true, user: "ada" }, "sendMessage", {
      path: ROOM,
      body: { message: { id: "sys", text: "tea is served", type: "system" } },
    });
    b.send("ada", "room", { id: "gone", text: "tea" });
    b.call("ada", "deleteMessage", { path: { id: "gone" } });
    b.send("ada", "room", { id: "there", text: "tea" });
    expect(words(b, "bob", "tea")).toEqual(["there"]);
    expect(indexed(b, '"tea"*')).toBe(1);
  });

  test("are those restricted to others", () => {
    const b = room();
    b.user("boss", {}, "admin");
    b.call({ server: true }, "updateChannel", { path: ROOM, body: { add_members: ["boss"] } });
    b.send("boss", "room", { id: "secret", text: "tea", restricted_visibility: ["bob"] });
    expect(words(b, "bob", "tea")).toEqual(["secret"]);
    expect(words(b, "boss", "tea")).toEqual(["secret"]);
    expect(words(b, "ada", "tea")).toEqual([]);
  });

  test.each<[string, (b: TestDomain, path: typeof ROOM) => unknown]>([
    [
      "overrides",
      (b, path) => {
        const config_overrides = { grants: { channel_member: ["read-restricted-visibility-message"] } };
        return b.call({ server: true }, "updateChannelPartial", {
          path,
          body: { set: { config_overrides } },
        });
      },
    ],
    [
      "role of the reader",
      (b, path) => {
        const grants = { channel_moderator: ["read-channel", "read-restricted-visibility-message"] };
        b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { grants } });
        const body = { assign_roles: [{ user_id: "bob", channel_role: "channel_moderator" }] };
        return b.call({ server: true }, "updateChannel", { path, body });
      },
    ],
  ])("are restricted ones of another channel than the one whose %s lets read them", (_, allow) => {
    for (const latest of ["open", "shut"]) {
      const b = room();
      for (const id of ["open", "shut"]) b.channel(id, "ada", ["ada", "bob", "cyd"]);
      allow(b, { type: "messaging", id: "open" });
      for (const id of latest === "open" ? ["shut", "open"] : ["open", "shut"])
        b.send({ server: true }, id, {
          id: `in-${id}`,
          text: "tea",
          user_id: "ada",
          restricted_visibility: ["cyd"],
        });
      const among = (...ids: string[]): string[] =>
        find(b, "bob", {
          filter_conditions: { cid: { $in: ids.map((id) => `messaging:${id}`) } },
          query: "tea",
        });
      expect([latest, among("open"), among("shut")]).toEqual([latest, ["in-open"], []]);
      expect(among("open", "shut")).not.toContain("in-shut");
    }
  });

  test("are those in hidden history, and those the reader deleted for itself", () => {
    const b = room();
    b.send("ada", "room", { id: "old", text: "tea" });
    b.call("bob", "hideChannel", { path: ROOM, body: { clear_history: true } });
    b.send("ada", "room", { id: "new", text: "tea" });
    expect(words(b, "bob", "tea")).toEqual(["new"]);
    expect(words(b, "ada", "tea")).toEqual(["new", "old"]);
    b.call("bob", "deleteMessage", { path: { id: "new" }, query: { delete_for_me: "true" } });
    expect(words(b, "bob", "tea")).toEqual([]);
    expect(words(b, "ada", "tea")).toEqual(["new", "old"]);
  });

  test("are truncated ones, for everybody or for some members", () => {
    const b = room();
    b.send("ada", "room", { id: "old", text: "tea" });
    b.call("ada", "truncateChannel", { path: ROOM, body: { member_ids: ["bob"] } });
    expect([words(b, "ada", "tea"), words(b, "bob", "tea")]).toEqual([["old"], []]);
    b.call("ada", "truncateChannel", { path: ROOM, body: {} });
    expect(words(b, "ada", "tea")).toEqual([]);
    expect(indexed(b, '"tea"*')).toBe(0);
  });

  test("are those in channels without search, in disabled ones, and in channels the reader cannot see", () => {
    const b = room();
    b.user("eve");
    b.send("ada", "room", { id: "one", text: "tea" });
    expect(words(b, "eve", "tea")).toEqual([]);
    b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { set: { disabled: true } } });
    expect(words(b, "ada", "tea")).toEqual([]);
    b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { set: { disabled: false } } });
    expect(words(b, "ada", "tea")).toEqual(["one"]);
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { search: false } });
    expect(words(b, "ada", "tea")).toEqual([]);
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { search: true } });
    expect(words(b, "ada", "tea")).toEqual(["one"]);
  });
});

describe("the index", () => {
  test("follows edits, deletions, undeletions and the end of a channel", () => {
    const b = room();
    b.send("ada", "room", { id: "one", text: "Kettle" });
    b.call("ada", "updateMessagePartial", { path: { id: "one" }, body: { set: { text: "Teapot" } } });
    expect([words(b, "ada", "kettle"), words(b, "ada", "teapot")]).toEqual([[], ["one"]]);
    b.call({ server: true, user: "ada" }, "deleteMessage", { path: { id: "one" } });
    expect(indexed(b, '"teapot"')).toBe(0);
    b.call({ server: true }, "undeleteMessage", { path: { id: "one" }, body: { undeleted_by: "ada" } });
    expect(words(b, "ada", "teapot")).toEqual(["one"]);
    b.call({ server: true }, "deleteChannel", { path: ROOM, query: { hard_delete: "true" } });
    expect(indexed(b, '"teapot"')).toBe(0);
  });

  test("contains mentions and attachments, also after an update", () => {
    const b = room();
    b.send("ada", "room", { id: "one", text: "", attachments: [{ type: "image", image_url: "x" }] });
    b.send("ada", "room", { id: "two", text: "hi", mentioned_users: ["bob"] });
    const findBy = (filter: object): string[] => find(b, "ada", { message_filter_conditions: filter });
    expect(findBy({ "attachments.type": "image" })).toEqual(["one"]);
    expect(findBy({ "mentioned_users.id": { $contains: "bob" } })).toEqual(["two"]);
    expect(findBy({ "mentioned_users.id": { $contains: "ada" } })).toEqual([]);
    b.call("ada", "updateMessage", {
      path: { id: "two" },
      body: { message: { text: "hi", attachments: [{ type: "file", asset_url: "y" }] } },
    });
    expect(findBy({ "attachments.type": { $in: ["file", "audio"] } })).toEqual(["two"]);
    expect(findBy({ attachments: { $exists: true } })).toEqual(["two", "one"]);
    expect(findBy({ "mentioned_users.id": { $contains: "bob" } })).toEqual([]);
  });

  test.each(["type", "colour"])(
    "attachments.%s is in a list wherever the value stands in it, and in any attachment",
    (key) => {
      const b = room();
      const of = (...values: string[]): object => ({
        attachments: values.map((value) => ({ [key]: value })),
      });
      b.send("ada", "room", { id: "red", text: "", ...of("red") });
      b.send("ada", "room", { id: "both", text: "", ...of("red", "blue") });
      b.send("ada", "room", { id: "green", text: "", ...of("green") });
      const among = (...values: string[]): string[] =>
        find(b, "ada", { message_filter_conditions: { [`attachments.${key}`]: { $in: values } } }).toSorted();
      expect([among("none", "red"), among("none", "blue"), among("blue", "green"), among("none")]).toEqual([
        ["both", "red"],
        ["both"],
        ["both", "green"],
        [],
      ]);
    },
  );

  test("at an offset has no cursors, which would count from the first match", () => {
    const b = room();
    for (const id of ["m1", "m2", "m3"]) b.send("ada", "room", { id, text: "tea" });
    const cursors = (offset?: number): string[] =>
      Object.keys(
        b.call("ada", "search", {
          body: {
            filter_conditions: { cid: "messaging:room" },
            query: "tea",
            limit: 1,
            ...(offset !== undefined && { offset }),
          },
        }),
      ).filter((key) => key === "next" || key === "previous");
    expect([cursors(), cursors(0), cursors(1), cursors(2)]).toEqual([["next"], ["next"], [], []]);
  });

  test.each([1, 2, 3, 4, 5])(
    "equals an index built from scratch, whatever happened before (seed %i)",
    (seed) => {
      const b = room();
      b.db.raw.exec("CREATE VIRTUAL TABLE temp.entries USING fts5vocab('main', 'search_index', 'instance')");
      const random = dice(seed);
      const ids: string[] = [];
      const server = { server: true as const, user: "ada" };
      const text = (): string =>
        Array.from({ length: 1 + random.below(4) }, () =>
          random.pick(["Tea", "thé", "milk", "tea-time", "中文", "日本語のテスト", "Straße", "a_b", "!?"]),
        ).join(" ");
      const actions: ((id: string) => void)[] = [
        (id) => b.call(server, "updateMessage", { path: { id }, body: { message: { text: text() } } }),
        (id) =>
          b.call(server, "updateMessagePartial", { path: { id }, body: { set: { mood: random.below(9) } } }),
        (id) =>
          b.call(server, "deleteMessage", { path: { id }, query: { hard: String(random.chance(0.5)) } }),
        (id) => b.call(server, "undeleteMessage", { path: { id }, body: { undeleted_by: "ada" } }),
        (id) => b.call(server, "sendReaction", { path: { id }, body: { reaction: { type: "love" } } }),
        () => random.chance(0.1) && b.call("ada", "truncateChannel", { path: ROOM }),
      ];
      for (let n = 0; n < 80; n++) {
        if (n === 40) b.db.raw.exec(newIndexSchema(0));
        if (n > 40 && hasBacklog(b.db) && random.chance(0.2)) indexBacklogPart(b.db, 3);
        // The transaction ends here: as in the provider, several calls share one.
        if (random.chance(0.3)) indexNewMessages(b.db);
        if (ids.length === 0 || random.chance(0.4)) {
          ids.push(`m${n}`);
          b.send("ada", "room", {
            id: `m${n}`,
            text: `${text()} x`,
            ...(random.chance(0.3) ? { mentioned_users: ["bob"] } : {}),
            ...(random.chance(0.3) ? { attachments: [{ type: random.pick(["image", "file"]) }] } : {}),
          });
          continue;
        }
        try {
          random.pick(actions)(random.pick(ids));
        } catch (error) {
          // Refused, because the message is already gone or not deleted: nothing changes.
          if (!(error instanceof ApiProblem)) throw error;
        }
      }
      const entries = (): string[] =>
        b.db.raw
          .prepare("SELECT DISTINCT doc || ' ' || term AS entry FROM temp.entries ORDER BY 1")
          .all()
          .map(({ entry }) => String(entry));
      indexNewMessages(b.db);
      while (hasBacklog(b.db)) indexBacklogPart(b.db, 3);
      const incremental = entries();
      b.db.raw.exec(`INSERT INTO search_index (search_index) VALUES ('delete-all');
      INSERT INTO search_index (rowid, words)
      SELECT (c.rowid << 32) | m.rowid, index_words(m.text, m.data) FROM channels c JOIN message_rows m ON m.cid = c.cid
      WHERE m.type IN ('regular', 'reply')`);
      expect(incremental).toEqual(entries());
    },
  );

  test("is filled for the messages of a database without one", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "parley-search-"));
    const file = path.join(folder, "provider.db");
    const parts = (migrations: readonly string[]) => [
      { name: "transport", migrations: transportMigrations },
      { name: "domain", migrations, registerFunctions: registerWords },
    ];
    // The tables as a release without a search index made them.
    const old = openFile(file, parts(chat.migrations.slice(0, 2)));
    old.raw.exec(`
      INSERT INTO channels (cid, type, id, created_at, updated_at, created_by) VALUES ('messaging:a', 'messaging', 'a', 1, 1, 'ada');
      INSERT INTO messages (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
      VALUES ('one', 'messaging:a', 1, 1, 'ada', 'regular', 1, 1, 'Thé', '{"mentioned":["bob"]}'),
        ('two', 'messaging:a', 2, 2, 'ada', 'system', 1, 1, 'the system', '{}')`);
    old.close();
    const now = openFile(file, parts(chat.migrations));
    const idsFor = (query: string): unknown[] =>
      now
        .all<{ id: string }>(
          `SELECT m.id FROM search_index i JOIN message_rows m ON m.rowid = i.rowid & 4294967295 WHERE search_index MATCH ?`,
          query,
        )
        .map(({ id }) => id);
    expect([idsFor('"the"*'), idsFor(`"${mentionMark("bob")}"`)]).toEqual([["one"], ["one"]]);
    now.close();
    rmSync(folder, { recursive: true });
  });

  test("is made anew in steps, the newest messages first, and a search says so until it is done", () => {
    const b = room();
    for (let n = 0; n < 6; n++) b.send("ada", "room", { id: `m${n}`, text: n % 2 ? "tea" : "上海茶" });
    indexNewMessages(b.db);
    b.db.raw.exec(newIndexSchema(0));
    const search = (more: object) =>
      b.call("bob", "search", { body: { filter_conditions: { cid: "messaging:room" }, ...more } });
    const found: unknown[] = [];
    while (hasBacklog(b.db)) {
      indexBacklogPart(b.db, 2);
      const reply = search({ query: "tea" });
      found.push([(reply.results as Found).map(({ message }) => message.id), reply.results_warning]);
    }
    const warning = {
      warning_code: 2,
      warning_description:
        "The search index is being made, the newest messages first; older ones are not all found yet",
    };
    expect(found).toEqual([
      [["m5"], warning],
      [["m5", "m3"], warning],
      [["m5", "m3", "m1"], warning],
      [["m5", "m3", "m1"], undefined],
    ]);
    // What needs no index is found and complete at any time.
    b.db.raw.exec(newIndexSchema(0));
    const all = search({ message_filter_conditions: { created_at: { $gt: "2000-01-01T00:00:00Z" } } });
    expect([(all.results as Found).length, all.results_warning]).toEqual([6, undefined]);
  });

  test("changes of messages that a step has not come to yet are found by it, and new ones at once", () => {
    const b = room();
    for (let n = 0; n < 4; n++) b.send("ada", "room", { id: `m${n}`, text: "tea" });
    indexNewMessages(b.db);
    b.db.raw.exec(newIndexSchema(0));
    b.call("ada", "updateMessage", { path: { id: "m0" }, body: { message: { text: "上海" } } });
    b.call("ada", "deleteMessage", { path: { id: "m1" } });
    b.send("ada", "room", { id: "new", text: "tea 上海" });
    expect([words(b, "bob", "tea"), words(b, "bob", "上海")]).toEqual([["new"], ["new"]]);
    while (hasBacklog(b.db)) indexBacklogPart(b.db, 1);
    expect([words(b, "bob", "tea"), words(b, "bob", "上海")]).toEqual([
      ["new", "m3", "m2"],
      ["new", "m0"],
    ]);
    expect(indexed(b, '"tea"*')).toBe(3);
  });

  test("a long word without blanks is checked against the text, since its pairs may stand apart", () => {
    const b = room();
    b.send("ada", "room", { id: "apart", text: "上海 海东 东边" });
    b.send("ada", "room", { id: "whole", text: "我家在上海东边" });
    expect(words(b, "bob", "上海东")).toEqual(["whole"]);
    expect(find(b, "bob", { message_filter_conditions: { text: { $q: "海东边" } } })).toEqual(["whole"]);
    expect(words(b, "bob", "东").toSorted()).toEqual(["apart", "whole"]);
    expect(words(b, "bob", "边 上海").toSorted()).toEqual(["apart", "whole"]);
  });

  test("folds case, accents, scripts and underscores as filters do", () => {
    const b = room();
    b.send("ada", "room", { id: "fr", text: "Crème BRÛLÉE" });
    b.send("ada", "room", { id: "hi", text: "हिन्दी में" });
    b.send("ada", "room", { id: "id", text: "see snake_case" });
    b.send("ada", "room", { id: "ko", text: "한국어" });
    for (const [query, id] of [
      ["creme brul", "fr"],
      ["CRÈME", "fr"],
      ["हिन्दी", "hi"],
      ["snake_c", "id"],
      ["한국", "ko"],
    ])
      expect(words(b, "ada", query!), query).toEqual([id]);
    expect(words(b, "ada", "case")).toEqual([]);
    expect(words(b, "ada", '"cre" OR "x')).toEqual([]);
  });

  test("has a condition for mentions and attachments in each form of a filter", () => {
    const bob = `"${mentionMark("bob")}"`;
    const eve = `"${mentionMark("eve")}"`;
    const needs = (value: unknown) => indexCondition({ "mentioned_users.id": value });
    expect([needs("bob"), needs({ $contains: "bob" }), needs({ $eq: "bob" })]).toEqual([bob, bob, bob]);
    expect(needs({ $in: ["bob", "eve"] })).toBe(`(${bob}) OR (${eve})`);
    for (const any of [{ $exists: true }, { $in: [] }, { $in: ["bob", 1] }, { $in: "bob" }, {}, 1, null])
      expect(needs(any)).toBeUndefined();
    expect(indexCondition({ "attachments.type": { $eq: "image" } })).toBe(`"${attachmentMark("image")}"`);
    expect(indexCondition({ text: { $q: "tea" }, "attachments.type": "image" })).toBe(
      `("tea"*) AND ("${attachmentMark("image")}")`,
    );
  });
  test("has a condition for what a filter requires, and none where the index cannot help", () => {
    expect(indexCondition({ text: { $q: "Tea, milk" } })).toBe('"tea"* AND "milk"*');
    expect(indexCondition({ text: { $q: "…" } })).toBe("never");
    expect(indexCondition({ $or: [{ text: { $q: "a" } }, { pinned: true }] })).toBeUndefined();
    expect(indexCondition({ $or: [{ text: { $q: "a" } }, { text: { $q: "b" } }] })).toBe('("a"*) OR ("b"*)');
    expect(indexCondition({ $nor: [{ text: { $q: "a" } }] })).toBeUndefined();
  });
});

describe("pages", () => {
  test("stay stable while messages arrive, and lead back to the first", () => {
    const b = room();
    for (let n = 0; n < 7; n++) b.send("ada", "room", { id: `m${n}`, text: n % 2 ? "tea" : "tea tea" });
    const page = (next?: string) =>
      b.call("bob", "search", {
        body: {
          filter_conditions: { cid: "messaging:room" },
          query: "tea",
          limit: 3,
          ...(next ? { next } : {}),
        },
      });
    const ids = (reply: object): string[] =>
      (reply as { results: Found }).results.map(({ message }) => message.id);
    const first = page();
    expect([ids(first), first.previous]).toEqual([["m6", "m4", "m2"], undefined]);
    b.send("ada", "room", { id: "late", text: "tea tea" });
    const second = page(first.next as string);
    expect(ids(second)).toEqual(["m0", "m5", "m3"]);
    const third = page(second.next as string);
    expect([ids(third), third.next]).toEqual([["m1"], undefined]);
    expect(ids(page(third.previous as string))).toEqual(["m0", "m5", "m3"]);
    expect(ids(page(second.previous as string))).toEqual(["m6", "m4", "m2"]);
  });

  test("of more than 500 channels only the 500 latest are searched, with a warning", () => {
    const b = new TestDomain();
    b.user("ada");
    for (let n = 0; n <= 500; n++) b.channel(`r${n}`, "ada", ["ada"]);
    b.send("ada", "r7", { id: "seven", text: "tea" });
    const reply = b.call("ada", "search", {
      body: { filter_conditions: { members: { $in: ["ada"] } }, query: "tea" },
    });
    expect((reply.results as Found).map(({ message }) => message.id)).toEqual(["seven"]);
    expect(reply.results_warning).toMatchObject({ warning_code: 1, channel_search_count: 500 });
  });
});

describe("query plans", () => {
  const plan = (b: TestDomain, sql: string): string =>
    b.db.raw
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join("\n");

  test("no statement of a list, a page or a search scans a table of messages, members or channels", () => {
    const b = room();
    b.send("ada", "room", { id: "one", text: "tea", pinned: true });
    const statements: string[] = [];
    const { raw } = b.db;
    const prepare = raw.prepare.bind(raw);
    const { all, get } = b.db;
    raw.prepare = (sql: string) => (statements.push(sql), prepare(sql));
    b.db.all = (sql, ...values) => (statements.push(sql), all(sql, ...values));
    b.db.get = (sql, ...values) => (statements.push(sql), get(sql, ...values));
    b.call("bob", "queryChannels", { body: { filter_conditions: { members: { $in: ["bob"] } } } });
    b.call("bob", "queryChannel", { path: ROOM, body: { messages: { id_lte: "one" } } });
    words(b, "bob", "tea");
    find(b, "bob", { message_filter_conditions: { "mentioned_users.id": { $contains: "bob" } } });
    raw.prepare = prepare;
    expect(statements.length).toBeGreaterThan(20);
    const scans = [...new Set(statements)].filter((sql) =>
      /^SCAN (m|messages|c|channels|members|reads|reactions|threads|users|u|r)\b(?! VIRTUAL)/m.test(
        plan(b, sql),
      ),
    );
    expect(scans).toEqual([]);
  });
});
