/** Which stored rows name which uploaded files, kept by triggers, and the files that only deleted rows named. */
import type { Database } from "../../../base/database.ts";

interface Holder {
  table: string;
  /** SQL of the row's name, with `@` for the row. */
  name: string;
  /** SQL of the text that may name files, with `@` for the row. */
  text: string;
  columns: string;
  /** Files that only such a row named go with it. Others may be written again, such as drafts. */
  final?: string;
}

/** Every table with content or custom fields. */
const HOLDERS: readonly Holder[] = [
  {
    table: "message_rows",
    name: "'m ' || @.id",
    text: "@.text || @.data",
    columns: "text, data",
    final: "1",
  },
  {
    table: "message_history",
    name: "'h ' || @.seq",
    text: "@.text || @.data",
    columns: "text, data",
    final: "1",
  },
  { table: "channels", name: "'c ' || @.cid", text: "@.data", columns: "data", final: "0" },
  {
    table: "users",
    name: "'u ' || @.id",
    text: "@.data",
    columns: "data, deleted_at",
    final: "NEW.deleted_at IS NOT NULL",
  },
  { table: "members", name: "'n ' || @.cid || ' ' || @.user_id", text: "@.data", columns: "data" },
  {
    table: "drafts",
    name: "'d ' || @.user_id || ' ' || @.cid || ' ' || @.parent_id",
    text: "@.data",
    columns: "data",
  },
  { table: "pending_messages", name: "'q ' || @.id", text: "@.message", columns: "message" },
  { table: "previews", name: "'v ' || @.id", text: "@.data", columns: "data" },
  { table: "polls", name: "'p ' || @.id", text: "@.data", columns: "data" },
  { table: "thread_heads", name: "'t ' || @.parent_id", text: "@.data", columns: "data" },
  {
    table: "reactions",
    name: "'r ' || @.message_id || ' ' || @.user_id || ' ' || @.type",
    text: "@.data",
    columns: "data",
  },
  {
    table: "campaigns",
    name: "'k ' || @.id",
    text: "@.message_template || coalesce(@.channel_template, '')",
    columns: "message_template, channel_template",
  },
];

const named = (text: string, row: string): string => text.replaceAll("@", row);
const names = (text: string, row: string): string => `instr(${named(text, row)}, '/files/')`;
const add = ({ name, text }: Holder): string =>
  `INSERT OR IGNORE INTO file_uses (holder, file)
    SELECT ${named(name, "NEW")}, value FROM json_each(file_ids(${named(text, "NEW")}));`;
/** The files stay recorded as candidates until `unusedFilesWork` has looked whether another row names them. */
const end = ({ name }: Holder, final: string): string =>
  `INSERT OR IGNORE INTO unused_files (file) SELECT file FROM file_uses WHERE holder = ${named(name, "OLD")} AND ${final};
    DELETE FROM file_uses WHERE holder = ${named(name, "OLD")};`;

const triggersOf = (holder: Holder): string => {
  const { table, text, columns, final } = holder;
  return `
CREATE TRIGGER IF NOT EXISTS ${table}_files_added AFTER INSERT ON ${table} WHEN ${names(text, "NEW")} BEGIN ${add(holder)} END;
CREATE TRIGGER IF NOT EXISTS ${table}_files_changed AFTER UPDATE OF ${columns} ON ${table}
  WHEN ${names(text, "OLD")} OR ${names(text, "NEW")} BEGIN ${end(holder, final ?? "0")} ${add(holder)} END;
CREATE TRIGGER IF NOT EXISTS ${table}_files_gone AFTER DELETE ON ${table} WHEN ${names(text, "OLD")} BEGIN
  ${end(holder, final === undefined ? "0" : "1")} END;`;
};

const fill = ({ table, name, text }: Holder): string =>
  `INSERT OR IGNORE INTO file_uses (holder, file) SELECT ${named(name, "o")}, k.value
    FROM ${table} o, json_each(file_ids(${named(text, "o")})) k WHERE ${names(text, "o")}
    AND EXISTS (SELECT 1 FROM upload);`;

/** Messages of older versions are read in steps (`fillUses`). */
export const fileUsesSchema = `
CREATE TABLE IF NOT EXISTS file_uses (
  holder TEXT NOT NULL,
  file TEXT NOT NULL,
  PRIMARY KEY (holder, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS file_uses_of ON file_uses (file);
CREATE TABLE IF NOT EXISTS unused_files (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS upload_of_channel ON upload (cid) WHERE cid IS NOT NULL;
${HOLDERS.map(triggersOf).join("")}
CREATE TRIGGER IF NOT EXISTS uploads_lose_channel AFTER DELETE ON channels BEGIN
  INSERT OR IGNORE INTO unused_files (file) SELECT substr(path, 8, 36) FROM upload WHERE cid = OLD.cid;
END;
${HOLDERS.filter(({ table }) => table !== "message_rows")
  .map(fill)
  .join("\n")}
INSERT INTO erasures (kind, id) SELECT 'upgrade', 'files' WHERE EXISTS (SELECT 1 FROM upload) ON CONFLICT DO NOTHING;
`;

/** Notes the files that the next `limit` messages after this row name; the last row read, undefined at the end. */
export function fillUses(db: Database, after: number, limit: number): number | undefined {
  const last = db.value<number>(
    "SELECT max(rowid) FROM (SELECT rowid FROM message_rows WHERE rowid > ? ORDER BY rowid LIMIT ?)",
    after,
    limit,
  );
  if (last === undefined) return undefined;
  db.run(
    `INSERT OR IGNORE INTO file_uses (holder, file) SELECT 'm ' || m.id, k.value
     FROM message_rows m, json_each(file_ids(m.text || m.data)) k
     WHERE m.rowid > ? AND m.rowid <= ? AND instr(m.text || m.data, '/files/')`,
    after,
    last,
  );
  return last;
}

export const hasUnusedFiles = (db: Database): boolean => db.has("SELECT 1 FROM unused_files LIMIT 1");

export const unusedFiles = (db: Database, limit: number): string[] =>
  db.column<string>("SELECT file FROM unused_files LIMIT ?", limit);

export const isUsed = (db: Database, file: string): boolean =>
  db.has("SELECT 1 FROM file_uses WHERE file = ?", file);

export function settleFile(db: Database, file: string): void {
  db.run("DELETE FROM unused_files WHERE file = ?", file);
}

/** Removes the record of the upload with this id; returns its stored path. */
export const removeUpload = (db: Database, file: string): string | undefined =>
  db.value<string>(
    "DELETE FROM upload WHERE path >= '/files/' || ?1 || '/' AND path < '/files/' || ?1 || '0' RETURNING path",
    file,
  );
