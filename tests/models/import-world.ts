/** The world of the import model: the real converters, handlers and stored imports on a database in memory, and what it holds now. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { convertForeign } from "../../src/commands/import/convert.ts";
import { importWork } from "../../src/provider/domain/jobs/rules/import-work.ts";
import { chat } from "../../src/provider/chat.ts";
import type { JobFiles, RouteCall } from "../../src/provider/base/handler.ts";
import type { DueContext } from "../../src/provider/base/ports.ts";
import { Collector } from "../../src/provider/realtime/collector.ts";
import { Hub } from "../../src/provider/realtime/hub.ts";
import { openDatabase } from "../../src/provider/store/open.ts";
import { transportMigrations } from "../../src/provider/store/transport.ts";
import type { EndpointName } from "../../src/wire/endpoints/index.ts";
import type { ImportTask, Unused } from "../../src/wire/entities/import.ts";
import { isObject } from "../../src/wire/json-object.ts";
import { dice } from "../support/seeded.ts";

const WORK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** 27 November 2026, milliseconds. */
export const NOW = Date.UTC(2026, 10, 27, 12);

/** One database for all stories, each in a savepoint that is rolled back: making the tables takes longer than a story. */
let shared: ReturnType<typeof openDatabase> | undefined;
const database = (): ReturnType<typeof openDatabase> =>
  (shared ??= openDatabase(":memory:", [
    { name: "transport", migrations: transportMigrations },
    {
      name: "domain",
      migrations: chat.migrations,
      registerFunctions: (raw) => chat.registerFunctions?.(raw),
    },
  ]));

/** `folder`: the file is a folder of these files. */
export type Source = { text: string } | { folder: Readonly<Record<string, unknown>> };

export interface Outcome {
  /** Refused as a whole: nothing may have changed. */
  refused?: string;
  unused: Unused[];
}

/** A bug planted on purpose between the parts of the program. */
export interface Plant {
  /** Changes the converted items. */
  items?(items: { type: string; data: Record<string, unknown> }[], run: number): object[];
  /** The mode in which the import runs instead. */
  mode?(mode: "complete" | "replace"): string;
  unused?(rows: Unused[]): Unused[];
  /** The provider no longer knows what was erased. */
  forgets?: true;
  /** What the clock of the checks shows instead, milliseconds. */
  now?: number;
}

/** Object name → its fields; empty values are left out. */
export type Snapshot = Map<string, Record<string, unknown>>;

const TABLES: Readonly<Record<string, string>> = {
  user: `SELECT id AS key, name, role, teams, invisible, privacy, created_at, deactivated_at, deleted_at, data FROM users`,
  channel: `SELECT cid AS key, created_by, created_at, frozen, disabled, team, truncated_at, data FROM channels WHERE deleted_at IS NULL`,
  member: `SELECT m.cid || ' ' || m.user_id AS key, channel_role, m.created_at, archived_at, hidden_at, invited, last_read, data
           FROM members m LEFT JOIN reads r ON r.cid = m.cid AND r.user_id = m.user_id`,
  message: `SELECT id AS key, cid, user_id, text, type, parent_id, quoted_id, created_at, deleted_at, pinned_at, data FROM message_rows`,
  reaction: `SELECT message_id || ' ' || user_id || ' ' || type AS key, score, created_at FROM reactions`,
};
/** Every column that an import could change, for the comparison of two runs. */
const WHOLE = ["users", "channels", "members", "reads", "message_rows", "reactions", "threads", "bans"];

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (isObject(value) && Object.keys(value).length === 0);

/** One row as fields: the JSON of `data` beside the columns. */
function fieldsOf({ key: _key, data, ...columns }: Record<string, unknown>): Record<string, unknown> {
  const all = { ...columns, ...(typeof data === "string" ? (JSON.parse(data) as object) : {}) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

export class ImportWorld {
  readonly #db = database();
  readonly #dice;
  readonly #folder = mkdtempSync(path.join(WORK, "parley-import-"));
  readonly #files = new Map<string, Buffer>();
  readonly #hub = new Hub();
  readonly #plant: Plant;
  #micros = NOW * 1000;
  #runs = 0;

  constructor(seed: number, plant: Plant = {}) {
    this.#dice = dice(seed).fork("world");
    this.#plant = plant;
    this.#db.run("SAVEPOINT story");
  }

  end(): void {
    this.#db.run("ROLLBACK TO story");
    this.#db.run("RELEASE story");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #now(): number {
    return (this.#micros += 1000);
  }

  get #jobFiles(): JobFiles {
    const files = this.#files;
    return {
      write: () => 0,
      read: (_kind, name, offset, length) => files.get(name)!.subarray(offset, offset + length),
      size: (_kind, name) => files.get(name)?.length,
      remove: (_kind, name) => void files.delete(name),
      address: (_kind, name) => name,
    };
  }

  #due(): DueContext {
    const emit = new Collector({
      hub: this.#hub,
      db: this.#db,
      domain: chat,
      now: () => this.#now(),
      refresh: (json) => json,
    });
    const { now: planted } = this.#plant;
    return {
      db: this.#db,
      emit,
      now: () => (planted === undefined ? this.#now() : planted * 1000),
      uuid: () => this.#dice.uuid(),
      jobFiles: this.#jobFiles,
    };
  }

  /** Calls a handler as a server. */
  call(
    name: EndpointName,
    path: RouteCall["path"],
    body: Record<string, unknown>,
    query: RouteCall["query"] = {},
  ): Record<string, unknown> {
    const handler = chat.handlers[name as keyof typeof chat.handlers] as (call: RouteCall) => object;
    const call = {
      ...this.#due(),
      name,
      op: name,
      path,
      query,
      body,
      caller: { kind: "server", userId: undefined, role: "server" },
      connectionId: undefined,
      requestId: undefined,
    } as unknown as RouteCall;
    return handler(call) as Record<string, unknown>;
  }

  #write(source: Source): string {
    const file = path.join(this.#folder, "source");
    rmSync(file, { recursive: true, force: true });
    if ("text" in source) writeFileSync(file, source.text);
    else
      for (const [name, content] of Object.entries(source.folder)) {
        mkdirSync(path.dirname(path.join(file, name)), { recursive: true });
        writeFileSync(path.join(file, name), JSON.stringify(content));
      }
    return file;
  }

  /** `local import`: converts the file, stores its items, and reports what was not used. */
  async import(source: Source, form: string, mode: "complete" | "replace"): Promise<Outcome> {
    const file = this.#write(source);
    if (this.#plant.forgets) this.#db.run("DELETE FROM tombstones");
    const items = path.join(this.#folder, "items.jsonl");
    let unused: Unused[] | undefined;
    try {
      unused = await convertForeign({
        file,
        source: form,
        items,
        channelType: "messaging",
        signal: new AbortController().signal,
        now: this.#plant.now ?? NOW,
      });
    } catch (error) {
      return { refused: (error as Error).message, unused: [] };
    }
    const { readFileSync } = await import("node:fs");
    const bytes = this.#planted(readFileSync(unused ? items : file));
    const task = this.#store(bytes, this.#plant.mode?.(mode) ?? mode);
    const rows = [...(unused ?? []), ...(task.result?.unused ?? [])];
    const result = { unused: this.#plant.unused?.(rows) ?? rows };
    return task.state === "completed"
      ? result
      : { ...result, refused: task.result?.errors[0]?.error ?? task.state };
  }

  #planted(bytes: Buffer): Buffer {
    const { items } = this.#plant;
    if (!items) return bytes;
    const text = bytes.toString("utf8");
    const list = (
      text.trimStart().startsWith("[")
        ? JSON.parse(text)
        : text
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line) as unknown)
    ) as { type: string; data?: Record<string, unknown>; item?: Record<string, unknown> }[];
    const changed = items(
      list.map(({ type, data, item }) => ({ type, data: data ?? item! })),
      this.#runs++,
    );
    return Buffer.from(changed.map((item) => `${JSON.stringify(item)}\n`).join(""));
  }

  #store(bytes: Buffer, mode: string): ImportTask {
    const { path: uploaded } = this.call("createImportUrl", {}, { filename: "items.jsonl" }) as {
      path: string;
    };
    this.#files.set(uploaded.split("/")[1]!, bytes);
    const due = this.#due();
    const { id } = chat.startImport(due, { path: uploaded, mode: mode as "complete" });
    while (importWork.next(this.#db) !== undefined) importWork.run(due);
    return (this.call("getImport", { id }, {}) as { import_task: ImportTask }).import_task;
  }

  /** All objects with their fields. */
  snapshot(): Snapshot {
    const found: Snapshot = new Map();
    for (const [kind, sql] of Object.entries(TABLES))
      for (const row of this.#db.all<Record<string, unknown>>(sql))
        found.set(`${kind} ${String(row.key)}`, fieldsOf(row));
    return found;
  }

  /** Every stored row, for the comparison of two runs. */
  whole(): string[] {
    return WHOLE.flatMap((table) =>
      this.#db.all(`SELECT * FROM ${table}`).map((row) => `${table} ${JSON.stringify(row)}`),
    ).toSorted();
  }
}
