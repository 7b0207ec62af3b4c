/** Pages of an archive are collected in one transaction: written completely or not at all, and all of them after a flush. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beginRun } from "../../src/jobs/archive/meta.ts";
import { mergeFrom } from "../../src/jobs/archive/merge.ts";
import { newDatabase, readArchive, writeArchive, type OpenArchive } from "../../src/jobs/archive/open.ts";
import { ArchiveWriter, type MessageWithDetails } from "../../src/jobs/archive/writer.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { message } from "../support/fake-core.ts";

const CID = "messaging:ops";
let archive: OpenArchive;
let writer: ArchiveWriter;
beforeEach(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-archive-"));
  archive = writeArchive(folder, { create: true });
  const options = { channels: [], threads: true, attachments: "link" as const };
  const run = beginRun(archive.db, {
    kind: "create",
    options,
    version: "0",
    started_at: "2026-01-01T00:00:00Z",
  });
  writer = new ArchiveWriter(archive, { n: run.n, now: () => "2026-01-01T00:00:00Z" }, false, 10);
});
afterEach(() => {
  archive.close();
  rmSync(archive.folder, { recursive: true });
});

const page = (from: number, count: number): MessageWithDetails[] =>
  Array.from({ length: count }, (_, n) => ({
    message: message(`m${from + n}`, "ana", "hello", { cid: CID }) as Message,
    reactions: [],
  }));

/** The archive as another reader sees it: the number of messages and the cursor. */
function onDisk(): { messages: number; cursor: unknown } {
  const other = readArchive(archive.folder);
  try {
    const { n } = other.db.prepare("SELECT count(*) n FROM messages").get()!;
    return { messages: Number(n), cursor: other.db.prepare("SELECT cursor FROM checkpoints").get()?.cursor };
  } finally {
    other.close();
  }
}

test("pages are written with their checkpoint when enough have gathered, and the rest by a flush", () => {
  writer.messages(page(0, 4), { cid: CID, part: "messages", cursor: "m3" });
  expect(onDisk()).toEqual({ messages: 0, cursor: undefined });
  writer.messages(page(4, 4), { cid: CID, part: "messages", cursor: "m7" });
  expect(onDisk()).toEqual({ messages: 8, cursor: "m7" });
  writer.messages(page(8, 1), { cid: CID, part: "messages", cursor: "m8" });
  expect(onDisk()).toEqual({ messages: 8, cursor: "m7" });
  writer.flush();
  expect(onDisk()).toEqual({ messages: 9, cursor: "m8" });
});

test("a page that cannot be written discards everything gathered with it, and later pages are written", () => {
  writer.messages(page(0, 2), { cid: CID, part: "messages", cursor: "m1" });
  const broken = page(2, 2);
  broken[1]!.message.text = { no: "text" } as never;
  expect(() => writer.messages(broken, { cid: CID, part: "messages", cursor: "m3" })).toThrow(
    /archive\.sqlite|bound/,
  );
  writer.flush();
  expect(onDisk()).toEqual({ messages: 0, cursor: undefined });
  writer.messages(page(0, 2), { cid: CID, part: "messages", cursor: "m1" });
  writer.flush();
  expect(onDisk()).toEqual({ messages: 2, cursor: "m1" });
  expect(archive.db.prepare("SELECT count(*) n FROM users").get()).toEqual({ n: 1 });
});

test("what an edit took away is gone from the archive: files, reactions, votes and members, each row of another message stays", () => {
  const checkpoint = { cid: CID, part: "messages" };
  const file = (n: number) => ({ type: "file", title: `${n}.pdf`, asset_url: `https://files.example/${n}` });
  const reaction = (user_id: string) => ({ type: "like", user_id, user: { id: user_id } });
  const vote = (id: string) => ({ id, poll_id: "p", option_id: "o", user: { id } });
  const save = (attachments: object[], reactions: object[], votes: object[]): void =>
    writer.messages(
      [
        {
          message: message("m1", "ana", "x", { cid: CID, attachments, poll: { id: "p" } } as never),
          reactions,
          votes,
        } as never,
      ],
      checkpoint,
    );
  const member = (user_id: string) => ({ user_id, user: { id: user_id } }) as never;
  const texts = (sql: string): unknown[] =>
    archive.db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  const held = (): unknown[][] => [
    texts("SELECT message_id || n || name FROM attachments ORDER BY message_id, n"),
    texts("SELECT user_id FROM reactions ORDER BY user_id"),
    texts("SELECT id FROM votes ORDER BY id"),
    texts("SELECT user_id FROM members ORDER BY user_id"),
  ];
  const other = message("m2", "bo", "y", { cid: CID, attachments: [file(8), file(9)] } as never);
  writer.messages([{ message: other as Message, reactions: [] }], checkpoint);
  writer.members(CID, ["ana", "bo", "cy"].map(member), { cid: CID, part: "members", done: true });
  save([file(1), file(2), file(3)], ["ana", "bo", "cy"].map(reaction), ["ana", "bo", "cy"].map(vote));
  const options = { channels: [], threads: true, attachments: "link" as const };
  const again = { kind: "update", options, version: "0", started_at: "2026-01-02T00:00:00Z" } as const;
  writer.flush();
  writer = new ArchiveWriter(
    archive,
    { n: beginRun(archive.db, again).n, now: () => again.started_at },
    false,
    10,
  );
  save([file(3)], ["bo"].map(reaction), ["cy"].map(vote));
  writer.members(CID, ["ana"].map(member), { cid: CID, part: "members", done: true });
  writer.flush();
  const others = ["m208.pdf", "m219.pdf"];
  expect(held()).toEqual([["m103.pdf", ...others], ["bo"], ["cy"], ["ana"]]);
  save([], [], []);
  writer.flush();
  expect(held()).toEqual([others, [], [], ["ana"]]);
});

test("an archive of the tables before is merged as it is, and gains the times of its run when it is written", () => {
  writer.channel({ cid: CID, type: "messaging", id: "ops" } as never, []);
  writer.messages(page(0, 2), { cid: CID, part: "messages", cursor: "m1" });
  writer.saveCheckpoint({ cid: CID, part: "channel", done: true });
  writer.flush();
  archive.db.exec(
    "ALTER TABLE messages DROP COLUMN seen_at; ALTER TABLE channels DROP COLUMN seen_at; ALTER TABLE gaps DROP COLUMN raw; DROP TRIGGER text_changed; DROP TABLE changed_texts; DROP INDEX messages_by_author; PRAGMA user_version = 1",
  );
  archive.close();
  const times = "SELECT seen_at FROM messages UNION SELECT seen_at FROM channels";
  const merged = newDatabase(":memory:");
  expect(mergeFrom(merged, archive.folder, true)).toMatchObject({ channels: 1, messages: 2 });
  expect(merged.db.prepare(times).all()).toEqual([{ seen_at: "2026-01-01T00:00:00Z" }]);
  merged.close();
  archive = writeArchive(archive.folder, { create: false });
  expect(archive.db.prepare(times).all()).toEqual([{ seen_at: "2026-01-01T00:00:00Z" }]);
});

test.each([
  ["2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z"],
  ["2026-01-01T11:00:00Z", "2026-01-01T10:00:00Z"],
])("a merge keeps the later of two read marks, in either order (%s, %s)", (first, second) => {
  const into = newDatabase(":memory:");
  const marks = [first, second].map((lastRead) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-archive-"));
    const part = writeArchive(folder, { create: true });
    part.db
      .prepare("INSERT INTO reads VALUES (?, ?, ?, ?)")
      .run(CID, "ana", lastRead, JSON.stringify({ user: { id: "ana" }, last_read: lastRead }));
    part.close();
    return folder;
  });
  for (const folder of marks) mergeFrom(into, folder, true);
  expect(into.db.prepare("SELECT last_read, raw ->> '$.last_read' AS raw FROM reads").all()).toEqual([
    { last_read: "2026-01-01T11:00:00Z", raw: "2026-01-01T11:00:00Z" },
  ]);
  into.close();
  for (const folder of marks) rmSync(folder, { recursive: true });
});

test.each([
  [1, 2],
  [2, 1],
])("a merge keeps the newer version of a person, in either order (%s, %s)", (first, second) => {
  const into = newDatabase(":memory:");
  const parts = [first, second].map((version) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-archive-"));
    const part = writeArchive(folder, { create: true });
    part.db
      .prepare("INSERT INTO users VALUES ('ana', ?, ?, ?)")
      .run(`Ana ${version}`, `2026-01-0${version}T00:00:00Z`, JSON.stringify({ id: "ana", version }));
    part.close();
    return folder;
  });
  for (const folder of parts) mergeFrom(into, folder, true);
  expect(into.db.prepare("SELECT name, updated_at, raw ->> '$.version' AS version FROM users").all()).toEqual(
    [{ name: "Ana 2", updated_at: "2026-01-02T00:00:00Z", version: 2 }],
  );
  into.close();
  for (const folder of parts) rmSync(folder, { recursive: true });
});
