/** The schema of a new database: what was released stays as it is, whatever its text is made of. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { registerWords } from "../../../src/provider/domain/query/words.ts";
import { domainMigrations } from "../../../src/provider/domain/schema.ts";
import { transportMigrations } from "../../../src/provider/store/transport.ts";
import { openDatabase } from "../domain/support.ts";

/** A `CREATE` statement without comments, and with one blank where it has several. */
const plain = (sql: string): string =>
  sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")").trim();

test("a new database has every table, index, view and trigger of the released schema, unchanged", () => {
  const released = readFileSync(path.join(import.meta.dirname, "released-schema.sql"), "utf8");
  const created = openDatabase().column<string>("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL");
  const now = new Set(created.map((sql) => `${plain(sql)};`));
  const statements = released.split("\n").filter((line) => line !== "");
  expect(statements.length).toBeGreaterThan(200);
  expect(statements.filter((statement) => !now.has(statement))).toEqual([]);
});

/** The tables that each released step makes, besides those of the search index. */
const STEPS = [
  "channel_mutes channels deleted_for_me locations members messages poll_votes polls reactions reads threads users",
  "tombs",
  "blocks user_mutes",
  "message_history pending_messages",
  "thread_heads",
  "",
  "drafts",
  "reminders",
  "",
  "bans flag_reports flags future_bans previews",
  "channel_push devices",
  "blocklists channel_types commands grants permissions push_providers roles unread_reminders",
  "imports job_seen spooled tasks",
  "campaign_receivers campaign_targets campaigns segment_targets segments",
  "",
  "",
  "",
  "",
  "clearings message_rows",
  "",
  "user_clearings",
  "tombstones",
  "",
  "erased_users",
  "",
  "file_uses unused_files",
  "",
  "blank_pages",
  "",
];

test("each released step makes what it made, so that a database of any version goes on where it is", () => {
  const raw = new DatabaseSync(":memory:");
  registerWords(raw);
  for (const sql of transportMigrations) raw.exec(sql);
  const tables = (): string[] =>
    raw
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !/^(?:search|sqlite)/.test(name));
  let before = tables();
  const steps = domainMigrations.map((sql) => {
    raw.exec(sql);
    const after = tables();
    const made = after.filter((name) => !before.includes(name));
    before = after;
    return made.join(" ");
  });
  raw.close();
  expect(steps.slice(0, STEPS.length)).toEqual(STEPS);
});
