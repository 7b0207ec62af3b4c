/** The provider's domain without sockets: a database in memory, a clock, an Emit that records events, and calls of routes by name. */
import { DatabaseSync } from "node:sqlite";
import { endpoints, type EndpointName } from "../../../src/wire/endpoints/index.ts";
import { chat } from "../../../src/provider/chat.ts";
import { domainMigrations } from "../../../src/provider/domain/schema.ts";
import { registerWords } from "../../../src/provider/domain/query/words.ts";
import { handlers } from "../../../src/provider/domain/handlers.ts";
import { ApiProblem, type RouteCall } from "../../../src/provider/base/handler.ts";
import type { Emit } from "../../../src/provider/base/emit.ts";
import { statementsOf } from "../../../src/provider/store/statement.ts";
import type { Database } from "../../../src/provider/base/database.ts";
import { transportMigrations } from "../../../src/provider/store/transport.ts";

/** An event and who received it: a code of specification/events.md §2 with the user; X = the user's connections are closed. */
export interface RecordedEvent {
  to: "W" | "N" | "U" | "P" | "S" | "X";
  cid?: string;
  user?: string;
  unlessWatching?: boolean;
  only?: string[];
  event: Record<string, unknown> & { type: string };
  /** For W: the fields that `perUser` adds for each connected user. */
  personal?: Record<string, Record<string, unknown> | undefined>;
}

/** An empty database; copying it takes a twentieth of the time of creating its tables. */
let empty: Uint8Array | undefined;

function createEmpty(): Uint8Array {
  const raw = new DatabaseSync(":memory:");
  registerWords(raw);
  for (const sql of [...transportMigrations, ...domainMigrations]) raw.exec(sql);
  const image = raw.serialize();
  raw.close();
  return image;
}

export function openDatabase(): Database {
  const raw = new DatabaseSync(":memory:");
  raw.deserialize((empty ??= createEmpty()));
  registerWords(raw);
  return { raw, ...statementsOf(raw) };
}

/** The caller: a user id, `{server: true}` with an optional acting user, or an anonymous user. */
export type As = string | { server: true; user?: string } | { anonymous: true };

export class TestDomain {
  readonly db: Database;
  now = 1_900_000_000_000_000;
  events: RecordedEvent[] = [];
  /** Users with a connection; the id of each is `c-<user>`. */
  readonly connected = new Set<string>();
  /** Watching users by cid. */
  readonly watched = new Map<string, Set<string>>();
  roles: Record<string, string> = {};
  private uuids = 0;

  constructor(db = openDatabase()) {
    this.db = db;
  }

  readonly emit: Emit = {
    watchers: (cid, event, only, perUser) => {
      const personal = perUser
        ? Object.fromEntries([...(this.watched.get(cid) ?? [])].map((id) => [id, perUser(id)]))
        : undefined;
      this.push({
        to: "W",
        cid,
        event,
        ...(only ? { only: [...only].toSorted() } : {}),
        ...(personal ? { personal } : {}),
      });
    },
    server: (event) => this.push({ to: "S", event }),
    membersNotWatching: (cid, event) => {
      const away = new Map(
        [...this.connected].filter((id) => !this.watched.get(cid)?.has(id)).map((id) => [id, 1]),
      );
      for (const user of chat.membersAmong(this.db, cid, away)) {
        const made = event(user);
        if (made) this.push({ to: "N", cid, user, event: made });
      }
    },
    user: (user, event, options = {}) => this.push({ to: "U", user, event, ...options }),
    presence: (user, event) => this.push({ to: "P", user, event }),
    watch: (connection, cid) => {
      const set = this.watched.get(cid) ?? this.watched.set(cid, new Set()).get(cid)!;
      const before = set.has(connection.slice(2));
      set.add(connection.slice(2));
      return !before;
    },
    unwatch: (connection, cid) => this.watched.get(cid)?.delete(connection.slice(2)) ?? false,
    endWatch: (cid, user) => {
      if (user === undefined) this.watched.delete(cid);
      else this.watched.get(cid)?.delete(user);
    },
    subscribePresence: () => {},
    watcherInfo: (cid) => {
      const userIds = [...(this.watched.get(cid) ?? [])];
      return { userIds, count: userIds.length };
    },
    isOpen: (connection, user) => connection === `c-${user}` && this.connected.has(user),
    online: (user) => this.connected.has(user),
    disconnect: (who, code, reason) =>
      this.push({
        to: "X",
        ...(who.userId === undefined ? {} : { user: who.userId }),
        event: { type: `expelled ${code}`, reason, ...who },
      }),
  };

  private push(events: RecordedEvent): void {
    // Events are copied as the wire does, so that later changes of the objects do not affect them.
    this.events.push(JSON.parse(JSON.stringify(events)) as RecordedEvent);
  }

  tick(): number {
    return ++this.now;
  }

  /** Advances the clock by this many milliseconds. */
  wait(ms: number): void {
    this.now += ms * 1000;
  }

  user(id: string, details: Record<string, unknown> = {}, role?: string): void {
    chat.connectUser(this.db, this.emit, id, details, this.tick());
    if (role) this.db.run("UPDATE users SET role = ? WHERE id = ?", role, id);
    if (role) this.roles[id] = role;
    this.events = [];
  }

  connect(...ids: string[]): void {
    for (const id of ids) this.connected.add(id);
  }

  /** Runs the handler in a transaction; a refusal rolls it back and drops its events. */
  call(
    as: As,
    name: EndpointName,
    input: Partial<Pick<RouteCall, "path" | "query" | "body">> = {},
  ): Record<string, unknown> {
    const caller: RouteCall["caller"] =
      typeof as === "string"
        ? { kind: "user", userId: as, role: this.roles[as] ?? "user" }
        : "server" in as
          ? { kind: "server", userId: as.user, role: "server" }
          : { kind: "anonymous", userId: "!anon", role: "anonymous" };
    const before = this.events.length;
    this.db.raw.exec("BEGIN");
    try {
      const reply = handlers[name as keyof typeof handlers]({
        name,
        op: endpoints[name].op,
        path: {},
        query: {},
        body: {},
        ...structuredClone(input),
        caller,
        connectionId:
          caller.userId !== undefined && this.connected.has(caller.userId) ? `c-${caller.userId}` : undefined,
        requestId: undefined,
        db: this.db,
        emit: this.emit,
        now: () => this.tick(),
        uuid: () => `uuid-${++this.uuids}`,
      });
      this.db.raw.exec("COMMIT");
      return JSON.parse(JSON.stringify(reply)) as Record<string, unknown>;
    } catch (error) {
      this.db.raw.exec("ROLLBACK");
      this.events.length = before;
      throw error;
    }
  }

  /** The refusal of a call as `[code, first field, status]`; fails when it is not refused. */
  refusalOf(
    as: As,
    name: EndpointName,
    input: Parameters<TestDomain["call"]>[2] = {},
  ): [number, string | undefined] {
    try {
      this.call(as, name, input);
    } catch (error) {
      if (error instanceof ApiProblem) return [error.code, Object.keys(error.fields ?? {})[0]];
      throw error;
    }
    throw new Error(`${name} was not refused`);
  }

  /** Events since the last call of this method, as `code type user`. */
  takeEvents(): string[] {
    const lines = this.events.map(({ to, event, user }) => [to, event.type, user].filter(Boolean).join(" "));
    this.events = [];
    return lines;
  }

  channel(
    id: string,
    creator: string,
    members: string[],
    type = "messaging",
    data: Record<string, unknown> = {},
  ): string {
    this.call(creator, "queryChannel", { path: { type, id }, body: { data: { members, ...data } } });
    this.events = [];
    return `${type}:${id}`;
  }

  send(
    as: As,
    id: string,
    message: Record<string, unknown>,
    type = "messaging",
    options: Record<string, unknown> = {},
  ): Message {
    return this.call(as, "sendMessage", { path: { type, id }, body: { message, ...options } })
      .message as Message;
  }

  unread(cid: string, user: string): number {
    return this.db.get<{ unread: number }>(
      "SELECT unread FROM reads WHERE cid = ? AND user_id = ?",
      cid,
      user,
    )!.unread;
  }
}

export type Message = Record<string, unknown> & { id: string; text: string; created_at: string };

/** The room `messaging:room` of Ada, with the members Ada, Bob and Cyd. */
export function room(): TestDomain {
  const bench = new TestDomain();
  for (const id of ["ada", "bob", "cyd", "dan"]) bench.user(id, { name: id.toUpperCase() });
  bench.channel("room", "ada", ["ada", "bob", "cyd"]);
  return bench;
}

export const ROOM = { type: "messaging", id: "room" };
