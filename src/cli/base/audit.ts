/** Writes the audit log: one entry before the first change of a run and one at its end. */
import { isFilledText } from "../../wire/json-object.ts";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { appendAudit, type AuditEntry } from "../../config/audit.ts";
import type { Settings } from "../../config/settings.ts";
import { DistinctCounter } from "./distinct-counter.ts";
import { ExitError } from "./exit.ts";
import type { OutputStream } from "./stdio.ts";

/** How many ids an entry lists; further ones are only counted. */
const MAX_NAMED_IDS = 20;

/** Bigger input files are not hashed, bytes. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

interface Change {
  operation: string;
  path?: Record<string, string>;
  query?: unknown;
  body?: unknown;
}

interface Context {
  env: Readonly<Record<string, string | undefined>>;
  err: OutputStream;
  settings: Pick<Settings, "audit">;
  /** Set when questions are answered by an MCP client instead of a terminal. */
  confirmer?: unknown;
  profile: string;
  user: string;
  command: string;
  file?: string | undefined;
}

/** Body fields with several ids. */
const ID_LIST_FIELDS = [
  "users",
  "user_ids",
  "target_ids",
  "cids",
  "add_members",
  "remove_members",
  "invites",
  "add_moderators",
  "demote_moderators",
  "assign_roles",
];

/** Body or query fields with one id. */
const ID_FIELDS = ["target_user_id", "blocked_user_id"];

/** The ids in a list of ids, a list of objects, or an object keyed by id. */
function idsIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) return typeof value === "object" ? Object.keys(value ?? {}) : [];
  return value.map((one: unknown) => {
    const { id, user_id } = (one ?? {}) as { id?: unknown; user_id?: unknown };
    return typeof one === "string" ? one : (id ?? user_id);
  });
}

/** The ids of everything that a call changes or creates. */
function idsOf({ path = {}, query, body }: Change): string[] {
  const { type, id, ...others } = path;
  const target = type && id ? [`${type}:${id}`] : id ? [id] : [];
  const fields = (typeof body === "object" ? (body ?? {}) : {}) as Record<string, unknown>;
  const allFields = { ...(query as Record<string, unknown>), ...fields };
  const single = ID_FIELDS.map((field) => allFields[field]).filter(isFilledText);
  const created = Object.keys(path).length === 0 && single.length === 0 ? [fields.id] : [];
  const message = (fields.message as { id?: unknown } | undefined)?.id;
  const listed = ID_LIST_FIELDS.flatMap((field) => idsIn(fields[field]));
  return [
    ...target,
    ...Object.values(others),
    ...[...single, ...created, ...listed, message].filter(isFilledText),
  ];
}

/** Messages and files are reported twice: before anything is stored or read, and with the call itself, which has the id. */
const isRepeatedWithId = ({ body }: Change): boolean =>
  typeof body === "string" || (body as { message?: object } | undefined)?.message !== undefined;

const messageIdIn = ({ body }: Change): string | undefined =>
  (body as { message?: { id?: string } } | undefined)?.message?.id;

function sha256(file: string | undefined): string | undefined {
  if (file === undefined || file === "-") return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_HASHED_BYTES) return undefined;
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

const osUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
};

export class Audit {
  #context: Context | undefined;
  #firstEntry: AuditEntry | undefined;
  readonly #operations = new Map<string, { announced: number; called: number; messages: DistinctCounter }>();
  readonly #ids = new DistinctCounter();
  readonly #named: string[] = [];

  /** Has to be set before the first change. */
  setContext(context: Context): void {
    this.#context ??= context;
  }

  /** Records a change that is about to be made. Throws `ExitError` 12 when the log is required and cannot be written. */
  recordChange(change: Change): void {
    this.#begin();
    const { operation } = change;
    const count = this.#operations.get(operation) ?? {
      announced: 0,
      called: 0,
      messages: new DistinctCounter(),
    };
    this.#operations.set(operation, count);
    const message = messageIdIn(change);
    if (message) count.messages.add(message);
    else count[isRepeatedWithId(change) ? "announced" : "called"]++;
    for (const id of idsOf(change)) this.#count(id);
  }

  end(exit: number): void {
    if (!this.#firstEntry) return;
    this.#write({
      ...this.#firstEntry,
      time: new Date().toISOString(),
      state: "ended",
      operations: this.#counted(),
      ids: this.#named,
      count: this.#ids.size,
      exit,
    });
  }

  /** How many changes were made; one that is announced before it is stored, and again when it is sent, counts once. */
  get changes(): number {
    return Object.values(this.#counted()).reduce((sum, n) => sum + n, 0);
  }

  #counted(): Record<string, number> {
    const numbers = Array.from(
      this.#operations,
      ([name, { announced, called, messages }]): [string, number] => [
        name,
        Math.max(announced, called + messages.size),
      ],
    );
    return Object.fromEntries(numbers);
  }

  #count(id: string): void {
    if (this.#ids.add(id) && this.#named.length < MAX_NAMED_IDS) this.#named.push(id);
  }

  #begin(): void {
    const context = this.#context;
    if (this.#firstEntry || !context) return;
    const input = sha256(context.file);
    const entry: AuditEntry = {
      time: new Date().toISOString(),
      run: crypto.randomUUID(),
      state: "begun",
      os_user: osUser(),
      host: hostname(),
      pid: process.pid,
      profile: context.profile,
      user: context.user,
      command: context.command,
      ...(input === undefined ? {} : { input }),
      ...(context.confirmer ? { via: "mcp" as const } : {}),
    };
    this.#write(entry);
    this.#firstEntry = entry;
  }

  #write(entry: AuditEntry): void {
    const { env, err, settings } = this.#context!;
    if (settings.audit === "off") return;
    try {
      appendAudit(env, entry);
    } catch (error) {
      const message = `the audit log cannot be written: ${(error as Error).message}`;
      if (settings.audit === "required" && entry.state === "begun")
        throw new ExitError(12, message, "the setting audit requires it: nothing was changed");
      err.write(`${message}\n`);
    }
  }
}
