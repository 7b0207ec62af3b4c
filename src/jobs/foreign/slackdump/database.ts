/** The database of `slackdump archive`, read without changing anything beside it. */
import { statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DATABASE_HEADER, immutableUrl, storageKind } from "../../../model/files/storage.ts";
import { parseBounded } from "../../../wire/bounded-json.ts";
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { headOf, type ExportFiles } from "../base/foreign-files.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { COPY, type SlackdumpRows } from "./rows.ts";

/** Bytes of one object. */
const MAX_DATA = 4 * 1024 * 1024;

/** SQLite would make files beside a database with a log, but reads one without a log as it is. */
function openDatabase(file: string): DatabaseSync {
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const db = new DatabaseSync(hasLog ? file : immutableUrl(file), { readOnly: true });
  // What the file defines beside its tables is not trusted.
  db.exec("PRAGMA trusted_schema = OFF");
  return db;
}

const tablesIn = (db: DatabaseSync): Set<unknown> =>
  new Set(
    db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );

/** What can be said of a database that is damaged. */
const damagedDatabase = (source: string, error: unknown): BadExport =>
  new BadExport(`The database of ${source} cannot be read: ${(error as Error).message}.`);

/** Whether a file can be nothing but the database: it is alone, or has its name. */
const isNamedDatabase = ({ files }: ExportFiles, { name }: ExportFile): boolean =>
  files.length === 1 || path.posix.basename(name) === "slackdump.sqlite";

/** Throws `BadExport` for a damaged one, of which nobody can tell the tables. */
export async function isArchiveDatabase(files: ExportFiles, file: ExportFile): Promise<boolean> {
  if (
    file.path === undefined ||
    !(await headOf(file)).subarray(0, DATABASE_HEADER.length).equals(DATABASE_HEADER)
  )
    return false;
  try {
    const db = openDatabase(file.path);
    try {
      const tables = tablesIn(db);
      return ["CHUNK", "MESSAGE", "S_USER", "CHANNEL"].every((name) => tables.has(name));
    } finally {
      db.close();
    }
  } catch (error) {
    if (storageKind(error) === "damaged" && isNamedDatabase(files, file))
      throw damagedDatabase(files.source, error);
    return false;
  }
}

export class DatabaseRows implements SlackdumpRows {
  readonly #source: string;
  readonly #db: DatabaseSync;
  readonly #tables: Set<unknown>;

  constructor({ source }: ExportFiles, file: ExportFile) {
    this.#source = source;
    this.#db = openDatabase(file.path!);
    this.#tables = tablesIn(this.#db);
  }

  close(): void {
    this.#db.close();
  }

  /** Throws `BadExport` for a damaged database. */
  *#rows(sql: string, ...values: string[]): Generator<Record<string, unknown>> {
    try {
      for (const row of this.#db.prepare(sql).iterate(...values)) yield row;
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SQLITE_ERROR") throw error;
      throw damagedDatabase(this.#source, error);
    }
  }

  /** The newest row of each id; `onCopy` is called for the others. */
  *#newest(sql: string, values: readonly string[], onCopy: () => void): Generator<Record<string, unknown>> {
    let before: unknown;
    for (const row of this.#rows(sql, ...values)) {
      if (row.id === before) onCopy();
      else yield row;
      before = row.id;
    }
  }

  async *users(tally: Tally): AsyncIterable<unknown> {
    const sql = "SELECT ID AS id, DATA AS data FROM S_USER ORDER BY ID, CHUNK_ID DESC";
    for (const row of this.#newest(sql, [], () => {})) yield valueIn(row);
    this.#countUnfinished(tally);
  }

  async *channels(): AsyncIterable<{ fields: object; members?: string[] | undefined }> {
    const listed = new Set<unknown>();
    const sql = "SELECT ID AS id, DATA AS data, NAME AS name FROM CHANNEL ORDER BY ID, CHUNK_ID DESC";
    for (const row of this.#newest(sql, [], () => {})) {
      listed.add(row.id);
      const fields = valueIn(row);
      yield {
        fields: { id: row.id, name: row.name, ...(isObject(fields) ? fields : {}) },
        members: this.#membersOf(String(row.id)),
      };
    }
    for (const { id } of this.#rows("SELECT DISTINCT CHANNEL_ID AS id FROM MESSAGE ORDER BY CHANNEL_ID"))
      if (!listed.has(id)) yield { fields: { id } };
  }

  #membersOf(channel: string): string[] | undefined {
    if (!this.#tables.has("CHANNEL_USER")) return undefined;
    const rows = [
      ...this.#rows("SELECT DISTINCT USER_ID AS id FROM CHANNEL_USER WHERE CHANNEL_ID = ?", channel),
    ];
    return rows.length === 0 ? undefined : rows.map(({ id }) => String(id));
  }

  async *messagesIn(channel: string, tally: Tally): AsyncIterable<unknown> {
    // Ids have more digits than a number keeps.
    const sql =
      "SELECT CAST(ID AS TEXT) AS id, DATA AS data FROM MESSAGE WHERE CHANNEL_ID = ? ORDER BY ID, CHUNK_ID DESC";
    for (const row of this.#newest(sql, [channel], () => tally.add("notice", COPY))) yield valueIn(row);
  }

  #countUnfinished(tally: Tally): void {
    if (!this.#tables.has("SESSION")) return;
    for (const { n } of this.#rows("SELECT count(*) AS n FROM SESSION WHERE FINISHED = 0"))
      tally.add("notice", "a run of slackdump that did not finish: the archive may lack messages", Number(n));
  }
}

/** The object of a row: bytes or a text; undefined for anything else. */
function valueIn({ data }: Record<string, unknown>): unknown {
  if (!(data instanceof Uint8Array) && typeof data !== "string") return undefined;
  if (data.length > MAX_DATA) return undefined;
  return parseBounded(typeof data === "string" ? data : Buffer.from(data).toString("utf8"), "item");
}
