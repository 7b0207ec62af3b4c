/** What a run changes, for the audit log: a line before its first change and one when it is over. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { appendAudit, type AuditEntry } from "../../config/audit.ts";
import type { Settings } from "../../config/settings.ts";
import { Distinct } from "./distinct.ts";
import { ExitError } from "./exit.ts";
import type { OutputStream } from "./stdio.ts";

/** Ids that are named; the rest is counted. */
const NAMED = 20;

/** A file that is bigger is named by no hash, bytes. */
const HASHED = 64 * 1024 * 1024;

interface Change {
  operation: string;
  path?: Record<string, string>;
  query?: unknown;
  body?: unknown;
}

/** The run whose changes are noted. */
interface Context {
  env: Readonly<Record<string, string | undefined>>;
  err: OutputStream;
  settings: Pick<Settings, "audit">;
  /** Questions are answered in place of a terminal. */
  asker?: unknown;
  profile: string;
  user: string;
  command: string;
  /** The file that the command reads. */
  file?: string | undefined;
}

/** Fields of a body that name many. */
const MANY = [
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

/** Fields of a body or a query that name one. */
const ONE = ["target_user_id", "blocked_user_id"];

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A list of ids, of things with an id, or an object by id. */
function idsIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) return typeof value === "object" ? Object.keys(value ?? {}) : [];
  return value.map((one: unknown) => {
    const { id, user_id } = (one ?? {}) as { id?: unknown; user_id?: unknown };
    return typeof one === "string" ? one : (id ?? user_id);
  });
}

/** What a call is about: the channel, the message, the users, the segment it makes. */
function idsOf({ path = {}, query, body }: Change): string[] {
  const { type, id, ...others } = path;
  const found = type && id ? [`${type}:${id}`] : id ? [id] : [];
  const given = (typeof body === "object" ? (body ?? {}) : {}) as Record<string, unknown>;
  const all = { ...(query as Record<string, unknown>), ...given };
  const named = ONE.map((field) => all[field]).filter(isText);
  const made = Object.keys(path).length === 0 && named.length === 0 ? [given.id] : [];
  const message = (given.message as { id?: unknown } | undefined)?.id;
  const many = MANY.flatMap((field) => idsIn(given[field]));
  return [...found, ...Object.values(others), ...[...named, ...made, ...many, message].filter(isText)];
}

/** Messages and files are asked for before anything is kept or read, and once more with the call itself, which names them. */
const isAnnounced = ({ body }: Change): boolean =>
  typeof body === "string" || (body as { message?: object } | undefined)?.message !== undefined;

/** The id of the message that is sent, once it has one. */
const messageIn = ({ body }: Change): string | undefined =>
  (body as { message?: { id?: string } } | undefined)?.message?.id;

function sha256(file: string | undefined): string | undefined {
  if (file === undefined || file === "-") return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > HASHED) return undefined;
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
  #began: AuditEntry | undefined;
  readonly #operations = new Map<string, { announced: number; called: number; messages: Distinct }>();
  readonly #ids = new Distinct();
  /** The first of them. */
  readonly #named: string[] = [];

  /** Where the changes of this run go, before there is one. */
  of(context: Context): void {
    this.#context ??= context;
  }

  /** A change that is about to be made. Throws when the log has to be written and cannot be. */
  changes(change: Change): void {
    this.#begin();
    const { operation } = change;
    const count = this.#operations.get(operation) ?? { announced: 0, called: 0, messages: new Distinct() };
    this.#operations.set(operation, count);
    const message = messageIn(change);
    if (message) count.messages.add(message);
    else count[isAnnounced(change) ? "announced" : "called"]++;
    for (const id of idsOf(change)) this.#count(id);
  }

  end(exit: number): void {
    if (!this.#began) return;
    this.#write({
      ...this.#began,
      time: new Date().toISOString(),
      state: "ended",
      operations: Object.fromEntries(
        [...this.#operations].map(([name, { announced, called, messages }]) => [
          name,
          Math.max(announced, called + messages.size),
        ]),
      ),
      ids: this.#named,
      count: this.#ids.size,
      exit,
    });
  }

  #count(id: string): void {
    if (this.#ids.add(id) && this.#named.length < NAMED) this.#named.push(id);
  }

  #begin(): void {
    const context = this.#context;
    if (this.#began || !context) return;
    const input = sha256(context.file);
    const began: AuditEntry = {
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
      ...(context.asker ? { via: "mcp" as const } : {}),
    };
    this.#write(began);
    this.#began = began;
  }

  #write(entry: AuditEntry): void {
    const { env, err, settings } = this.#context!;
    if (settings.audit === "off") return;
    try {
      appendAudit(env, entry);
    } catch (error) {
      const why = `the audit log cannot be written: ${(error as Error).message}`;
      if (settings.audit === "required" && entry.state === "begun")
        throw new ExitError(12, why, "the setting audit requires it: nothing was changed");
      err.write(`${why}\n`);
    }
  }
}
