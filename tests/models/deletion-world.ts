/** One story of things written and deleted: the real provider without a socket, a client that comes and goes, and what must be gone afterwards. */
import { createCore, type CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import { chat } from "../../src/provider/chat.ts";
import { enqueue } from "../../src/provider/hooks/queue.ts";
import { writeApp } from "../../src/provider/store/app-settings.ts";
import { textWithoutGone } from "../../src/provider/store/copies.ts";
import { openDatabase } from "../../src/provider/store/open.ts";
import { SimNetwork } from "../sim/network.ts";
import { SCHEMA_PARTS, SIM_KEY, SimProvider } from "../sim/provider.ts";
import { fakeLog } from "../support/fake-ports.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

export const PEOPLE = ["ada", "ben", "cyd"] as const;
export type Person = (typeof PEOPLE)[number];
export const ROOMS = ["tea", "two"] as const;
export type Room = (typeof ROOMS)[number];

type Json = Record<string, unknown>;

/** A bug planted in the program, to test that the model finds it. */
export interface Plant {
  /** Runs once, before the story. */
  begin?(world: World): void;
  /** Runs after each step. */
  after?(world: World): void;
  ports?(ports: CorePorts): CorePorts;
  /** Keeps readers from leaving out what is gone. */
  unguarded?: true;
}

/** `hidden`: soft-deleted, so only the row itself has it; `gone`: nothing has it. */
type Fate = "live" | "hidden" | "gone";

/** One text that somebody wrote, recognizable everywhere. */
interface Secret {
  word: string;
  fate: Fate;
}

interface Note {
  id: string;
  room: Room;
  /** Nobody once the person was erased: what is left belongs to a placeholder, and no later account of that id. */
  author: Person | undefined;
  parent: string | undefined;
  poll: string | undefined;
  files: string[];
  /** Text, edits, custom fields, file titles and the poll. */
  secrets: Secret[];
  /** Of others: reactions, answers, thread drafts and the thread's title; with who wrote them. */
  others: { by: Person; secret: Secret; kind: "reaction" | "answer" | "draft" | "title" }[];
  fate: Fate;
  /** Hard-deleted: not even its place is left. */
  erased?: true;
}

/** An empty database to copy: creating its tables for each story would take longer than the story. */
let empty: Uint8Array | undefined;

function freshDatabase(): ReturnType<typeof openDatabase> {
  empty ??= openDatabase(":memory:", SCHEMA_PARTS).raw.serialize();
  const db = openDatabase(":memory:", []);
  db.raw.deserialize(empty);
  // A copied database has its own settings.
  db.raw.exec("PRAGMA secure_delete = ON");
  for (const { registerFunctions } of SCHEMA_PARTS) registerFunctions?.(db.raw);
  return db;
}

/** Everything reachable from a value, as text. */
export function dump(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || seen.has(value)) return String(value);
  seen.add(value);
  if (value instanceof Map) return [...value].map((each) => dump(each, seen)).join("\n");
  if (Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].map((each) => dump(each, seen)).join("\n");
  return Object.values(value)
    .map((each) => dump(each, seen))
    .join("\n");
}

export class World {
  readonly clock = new VirtualClock();
  readonly random: Dice;
  readonly provider: SimProvider;
  readonly plant: Plant;
  readonly broken: string[] = [];
  /** Bytes of uploaded files, by their stored path. */
  readonly disk = new Map<string, string>();
  readonly uploaded = new Set<string>();
  readonly notes = new Map<string, Note>();
  /** Texts outside messages: drafts and names. */
  readonly loose: { room?: Room; by?: Person; secret: Secret; kind: "draft" | "room" | "person" }[] = [];
  readonly tokens = new Map<Person, string>();
  readonly erased = new Set<Person>();
  readonly absent = new Set<Room>();
  readonly store = createMemoryStore("ben");
  core: Core | undefined;
  #network: SimNetwork | undefined;
  #words = 0;
  #runs = 0;
  began = "";

  constructor(seed: number, plant: Plant) {
    this.random = dice(seed);
    this.plant = plant;
    const db = freshDatabase();
    this.provider = new SimProvider(this.clock, this.random.fork("provider"), {
      db,
      findGone: plant.unguarded ? undefined : chat.findGone,
      uploads: { discard: (path) => void this.disk.delete(path) },
      hook: (event, time) =>
        void enqueue(db, {
          event,
          time,
          extras: () => ({}),
          request: undefined,
          serialize: (body) => JSON.stringify(body),
          onRemoteUrl: () => {},
        }),
    });
  }

  /** A number that was not given before. */
  next(): number {
    return ++this.#words;
  }

  /** A word that nothing else contains, and that begins like no other. */
  word(): string {
    const n = this.next();
    return `${"qxzjkvwy"[n % 8]}${this.random.uuid().replaceAll("-", "").slice(0, 14)}${n}`;
  }

  secret(list?: Secret[]): Secret {
    const secret: Secret = { word: this.word(), fate: "live" };
    list?.push(secret);
    return secret;
  }

  /** A call of a person, or of a server; undefined when it is refused. */
  async call(
    as: Person | undefined,
    method: string,
    path: string,
    body?: Json,
    key?: string,
  ): Promise<Json | undefined> {
    const token = as === undefined ? undefined : this.tokens.get(as)!;
    const answer = await this.provider.call(as, method, path, body, {
      ...(token && { token }),
      ...(key && { key }),
    });
    if (as !== undefined && this.erased.has(as) && answer.StatusCode !== 401)
      this.broken.push(`token: ${as}, erased for good, was answered ${JSON.stringify(answer).slice(0, 80)}`);
    return "StatusCode" in answer ? undefined : answer;
  }

  async begin(): Promise<void> {
    writeApp(this.provider.db, { webhook_url: "http://127.0.0.1:9/hook" });
    for (const id of PEOPLE) {
      await this.upsert(id);
      this.tokens.set(id, this.provider.token(id));
    }
    await this.clock.advance(5);
    this.began = new Date(this.clock.now()).toISOString();
    await this.clock.advance(5);
    await this.create("ada", "tea", ["ada", "ben", "cyd"]);
    await this.create("ada", "two", ["ada", "ben"]);
    this.plant.begin?.(this);
    await this.connect();
  }

  async upsert(id: Person): Promise<void> {
    const secret = this.secret();
    const done = await this.call(undefined, "POST", "/users", { users: { [id]: { id, name: secret.word } } });
    if (!done) return;
    this.erased.delete(id);
    // An earlier name was replaced, not deleted.
    const at = this.loose.findIndex(({ kind, by }) => kind === "person" && by === id);
    if (at >= 0) this.loose.splice(at, 1);
    this.loose.push({ kind: "person", by: id, secret });
  }

  async create(by: Person, room: Room, members: readonly Person[]): Promise<void> {
    const secret = this.secret();
    const known = members.filter((id) => !this.erased.has(id));
    const data = { members: [...new Set([by, ...known])], name: secret.word };
    const done = await this.call(by, "POST", `/channels/messaging/${room}/query`, { state: true, data });
    if (
      !done ||
      (!this.absent.has(room) && this.loose.some((each) => each.kind === "room" && each.room === room))
    )
      return;
    // A soft-deleted channel that is created again loses what it had.
    this.endRoom(room);
    this.absent.delete(room);
    this.loose.push({ kind: "room", room, secret });
  }

  // What a deletion takes with it.

  #end(secrets: Iterable<Secret>, fate: Fate): void {
    for (const secret of secrets) if (secret.fate !== "gone") secret.fate = fate;
  }

  /** A soft deletion hides it, a pruning empties it and leaves its thread, and a hard deletion takes its thread with it. */
  endNote(note: Note, how: "hidden" | "pruned" | "gone"): void {
    if (note.erased || (note.fate === "gone" && how !== "gone")) return;
    const fate = how === "hidden" ? "hidden" : "gone";
    note.fate = fate;
    this.#end(note.secrets, fate);
    const withThread = how === "gone";
    const others = note.others.filter(({ kind }) => withThread || kind === "reaction" || kind === "answer");
    this.#end(
      others.map(({ secret }) => secret),
      fate,
    );
    if (!withThread) return;
    note.erased = true;
    for (const each of this.notes.values()) if (each.parent === note.id) this.endNote(each, "gone");
  }

  revive(note: Note): void {
    if (note.fate !== "hidden") return;
    note.fate = "live";
    this.#end(
      [...note.secrets, ...note.others.map(({ secret }) => secret)].filter(({ fate }) => fate === "hidden"),
      "live",
    );
  }

  endRoom(room: Room): void {
    for (const note of this.notes.values()) if (note.room === room) this.endNote(note, "gone");
    this.#end(
      this.loose.filter((each) => each.room === room).map(({ secret }) => secret),
      "gone",
    );
    this.absent.add(room);
  }

  /** What an erased person wrote beside messages. */
  endPerson(id: Person): void {
    this.erased.add(id);
    this.#end(
      this.loose.filter(({ by }) => by === id).map(({ secret }) => secret),
      "gone",
    );
    for (const note of this.notes.values()) {
      if (note.author === id) note.author = undefined;
      this.#end(
        note.others.filter(({ by, kind }) => by === id && kind !== "title").map(({ secret }) => secret),
        "gone",
      );
    }
  }

  // The client, which comes and goes.

  async connect(): Promise<void> {
    if (this.core || this.erased.has("ben")) return;
    const random = this.random.fork(`core ${++this.#runs}`);
    const network = new SimNetwork(this.clock, random.fork("net"), this.provider);
    network.latency = 1;
    const ports: CorePorts = {
      request: network.request,
      socket: network.socket,
      store: new Proxy(this.store, {
        get: (target, name) =>
          name === "close" ? () => undefined : (target[name as keyof typeof target] as unknown),
      }),
      clock: this.clock,
      random,
      log: fakeLog(),
    };
    const core = createCore(
      {
        baseUrl: "http://sim:1",
        apiKey: SIM_KEY,
        transport: "websocket",
        clientName: "model",
        isLoopback: true,
      },
      this.plant.ports?.(ports) ?? ports,
    );
    this.core = core;
    this.#network = network;
    core.restore();
    const opened = core
      .connectUser({ id: "ben" }, this.tokens.get("ben")!)
      .then(() => core.queryChannels({ filter_conditions: { members: { $in: ["ben"] } }, message_limit: 2 }))
      .catch(() => undefined);
    await this.clock.advance(30);
    await opened;
  }

  /** The connection is lost without a word, and found again. */
  away(): void {
    if (!this.#network || this.#network.cut) return;
    this.#network.cut = true;
    this.#network.breakSockets("reset");
  }

  async back(): Promise<void> {
    if (!this.#network?.cut) return;
    this.#network.cut = false;
    this.core!.reconnect();
    await this.clock.advance(1500);
  }

  /** The program is killed; its cache stays. */
  async kill(): Promise<void> {
    const { core } = this;
    if (!core) return;
    await this.clock.advance(500);
    this.#network!.kill();
    this.core = undefined;
    this.#network = undefined;
    const closed = core.close().catch(() => undefined);
    await this.clock.advance(10);
    await closed;
  }

  // The promises.

  words(...fates: Fate[]): string[] {
    const all = [
      ...[...this.notes.values()].flatMap((note) => [
        ...note.secrets,
        ...note.others.map(({ secret }) => secret),
      ]),
      ...this.loose.map(({ secret }) => secret),
    ];
    return all.filter(({ fate }) => fates.includes(fate)).map(({ word }) => word);
  }

  /** Reports each of the words that the text contains. */
  #refuse(where: string, text: string, words: readonly string[]): void {
    for (const word of words)
      if (text.includes(word)) this.broken.push(`${where}: ${this.#nameOf(word)} is there`);
  }

  #nameOf(word: string): string {
    for (const note of this.notes.values()) {
      if (note.secrets.some((each) => each.word === word)) return `a text of ${note.id} (${note.fate})`;
      const other = note.others.find(({ secret }) => secret.word === word);
      if (other) return `a ${other.kind} by ${other.by} on ${note.id} (${note.fate})`;
    }
    const found = this.loose.find(({ secret }) => secret.word === word)!;
    return `the ${found.kind} of ${found.by ?? found.room}`;
  }

  async sync(as: Person): Promise<string> {
    const answer = await this.call(as, "POST", "/sync", {
      channel_cids: ROOMS.map((room) => `messaging:${room}`),
      last_sync_at: this.began,
    });
    return JSON.stringify(answer ?? "");
  }

  /** At once after a deletion, before any scheduled work. */
  async checkAtOnce(as: Person): Promise<void> {
    const words = this.words("hidden", "gone").filter((word) => !this.#isName(word));
    if (words.length === 0) return;
    this.#refuse("sync at once", await this.sync(as), words);
    const { db, findGone } = this.provider;
    const late = this.#texts("hook_queue", "body").map((body) =>
      findGone ? textWithoutGone(db, body, findGone) : body,
    );
    this.#refuse("a webhook sent at once", late.join("\n"), words);
  }

  #isName = (word: string): boolean =>
    this.loose.some(({ kind, secret }) => kind !== "draft" && secret.word === word);

  #isDraft(word: string): boolean {
    const all = [...this.loose, ...[...this.notes.values()].flatMap(({ others }) => others)];
    return all.some(({ kind, secret }) => kind === "draft" && secret.word === word);
  }

  #texts(table: string, column: string): string[] {
    return this.provider.db.column<string>(`SELECT ${column} FROM ${table}`);
  }

  /** Every answer that people get. */
  async #answers(as: Person): Promise<string> {
    const out: string[] = [];
    const ask = async (method: string, path: string, body?: Json): Promise<void> =>
      void out.push(JSON.stringify((await this.call(as, method, path, body)) ?? ""));
    const payload = (value: Json): string => `payload=${encodeURIComponent(JSON.stringify(value))}`;
    await ask("POST", "/channels", { filter_conditions: {}, state: true, message_limit: 100 });
    for (const room of ROOMS) {
      await ask("POST", `/channels/messaging/${room}/query`, { state: true, messages: { limit: 100 } });
      await ask("GET", `/channels/messaging/${room}/pinned_messages?${payload({})}`);
      await ask("GET", `/channels/messaging/${room}/draft`);
      const ids = [...this.notes.values()].filter((note) => note.room === room).map(({ id }) => id);
      if (ids.length > 0) await ask("GET", `/channels/messaging/${room}/messages?ids=${ids.join(",")}`);
    }
    for (const note of this.notes.values())
      if (note.fate !== "live") {
        await ask("GET", `/messages/${note.id}`);
        await ask("GET", `/messages/${note.id}/replies`);
        await ask("GET", `/messages/${note.id}/reactions`);
        if (note.poll) await ask("GET", `/polls/${note.poll}`);
        const [first] = note.secrets;
        if (first)
          await ask(
            "GET",
            `/search?${payload({ filter_conditions: { members: { $in: [as] } }, query: first.word.slice(0, 8) })}`,
          );
      }
    await ask("POST", "/threads", {});
    await ask("POST", "/drafts/query", {});
    await ask("POST", "/reminders/query", {});
    await ask("POST", "/polls/query", {});
    await ask("GET", `/users?${payload({ filter_conditions: {} })}`);
    out.push(await this.sync(as));
    return out.join("\n");
  }

  #checkFile(): void {
    const { raw } = this.provider.db;
    const bytes = Buffer.from(raw.serialize()).toString("latin1");
    // The index stores a word without what it shares with the word before it.
    for (const word of this.words("gone"))
      if (bytes.includes(word.slice(4))) this.broken.push(`file: ${this.#nameOf(word)} is there`);
  }

  #checkUploads(): void {
    const named = new Set(
      [...this.notes.values()].filter(({ fate }) => fate !== "gone").flatMap(({ files }) => files),
    );
    for (const note of this.notes.values())
      for (const file of note.files) {
        if (note.fate === "gone" && !named.has(file) && this.disk.has(file))
          this.broken.push(`upload: ${file} of ${note.id} is on disk`);
        if (note.fate !== "gone" && !this.disk.has(file))
          this.broken.push(`upload: ${file} of ${note.id} was lost`);
      }
  }

  /** Nothing more is deleted than was asked for. */
  async #checkLive(): Promise<void> {
    for (const note of this.notes.values()) {
      if (note.fate !== "live" || this.absent.has(note.room)) continue;
      const answer = await this.provider.call(undefined, "GET", `/messages/${note.id}`);
      if ("StatusCode" in answer) this.broken.push(`live: ${note.id} was lost`);
      else if (!JSON.stringify(answer).includes(note.secrets[0]!.word))
        this.broken.push(`live: the text of ${note.id} was lost`);
    }
  }

  #checkClient(when: string): void {
    // Somebody's own unsent text stays on their machine, whatever becomes of its place.
    const words = this.words("hidden", "gone").filter((word) => !this.#isName(word) && !this.#isDraft(word));
    if (this.core && !this.erased.has("ben")) this.#refuse(`state ${when}`, dump(this.core.state()), words);
    this.#refuse(`cache ${when}`, JSON.stringify(this.store.cache.channels(1000)), words);
  }

  async end(): Promise<void> {
    const { provider } = this;
    provider.runDue();
    this.plant.after?.(this);
    provider.runDue();
    await this.connect();
    await this.back();
    await this.clock.advance(800);
    // Who may not sign in any more is told nothing.
    const isOut = (await this.call("ben", "GET", "/unread")) === undefined;
    // Nor is a program that was refused before the account was made anew, until its next start.
    const isRefused = this.core?.state().link.phase === "stopped";
    if (!isOut && !isRefused) this.#checkClient("back again");
    await this.kill();
    await this.connect();
    await this.clock.advance(800);
    if (!isOut) this.#checkClient("at the next start");
    await this.kill();
    const deleted = this.words("hidden", "gone");
    for (const [table, column] of [
      ["event_log", "json"],
      ["hook_queue", "body"],
      ["done_once", "json"],
    ] as const)
      this.#refuse(table, this.#texts(table, column).join("\n"), deleted);
    for (const person of PEOPLE)
      if (!this.erased.has(person))
        this.#refuse(`answers to ${person}`, await this.#answers(person), deleted);
    await this.#checkLive();
    this.#checkUploads();
    this.#checkFile();
    this.broken.push(...provider.faults);
    provider.close();
  }
}
