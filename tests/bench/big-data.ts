/** Creates the large data folders of the benchmarks once and caches them in the temporary folder, named by schema version. */
import { indexNewMessages } from "../../src/provider/domain/search/storage/schema.ts";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { chat } from "../../src/provider/chat.ts";
import { DATA_FILES } from "../../src/provider/lifecycle/identity.ts";
import { openDatabase } from "../../src/provider/store/open.ts";
import { transportMigrations } from "../../src/provider/store/transport.ts";
import { dice, type Dice } from "../support/seeded.ts";

/** Increase this when the generated data changes. */
const GENERATOR = 2;
const START = Date.UTC(2026, 0, 1) * 1000;
const PEOPLE = 2000;

/** The user who runs the queries, and how many channels that user is a member of. */
export const READER = "reader";
export const READER_CHANNELS = 500;
/** The first occurs in one message of a hundred, the second in one of a thousand. */
export const RARE_WORDS = ["marmalade", "quince"] as const;

export interface Size {
  name: string;
  channels: number;
  messages: number;
}
/** 10,000 channels of 2 to 20 members with 56 to 10,000 messages each. */
export const MANY: Size = { name: "many", channels: 10_000, messages: 1_000_000 };
export const ONE: Size = { name: "one", channels: 1, messages: 1_000_000 };

/** Path of the data folder, created if missing: takes half a minute to two minutes per million messages. */
export function bigData(size: Size): string {
  const schema = createHash("sha256")
    .update(JSON.stringify([transportMigrations, chat.migrations, size]))
    .digest("hex")
    .slice(0, 12);
  const folder = path.join(os.tmpdir(), `parley-big-${size.name}-${GENERATOR}-${schema}`);
  if (existsSync(folder)) return folder;
  // Folders made with an older schema cannot be opened any more.
  const older = new RegExp(`^parley-big-${size.name}-[^.]+$`);
  for (const name of readdirSync(os.tmpdir()))
    if (older.test(name)) rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { mode: 0o700, recursive: true });
  try {
    write(path.join(made, DATA_FILES.database), size);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

interface Room {
  cid: string;
  members: string[];
  wanted: number;
  count: number;
  last: number;
  /** An earlier message to reply to. */
  parent: Parent | undefined;
}

interface Parent {
  id: string;
  user: string;
  /** Users who take part in its thread. */
  known: Set<string>;
}

function write(file: string, size: Size): void {
  const db = openDatabase(file, [
    { name: "transport", migrations: transportMigrations },
    {
      name: "domain",
      migrations: chat.migrations,
      registerFunctions: (raw) => chat.registerFunctions?.(raw),
    },
  ]);
  const chance = dice(7);
  db.raw.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
  const insert = (table: string, row: Record<string, SQLInputValue>): void => {
    const names = Object.keys(row);
    let statement = statements.get(table);
    if (!statement)
      statements.set(
        table,
        (statement = db.raw.prepare(
          `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
        )),
      );
    statement.run(...Object.values(row));
  };
  const statements = new Map<string, StatementSync>();
  const people = Array.from({ length: PEOPLE }, (_, n) => `person-${n}`);
  for (const id of [READER, ...people])
    insert("users", {
      id,
      name: `${pickWord(chance)} ${id}`,
      created_at: START,
      updated_at: START,
      last_active: START,
      data: JSON.stringify({ image: `https://pictures.example/${id}.png`, language: "en" }),
    });
  const rooms = makeRooms(size, people, chance);
  for (const room of rooms) insertRoom(insert, room);
  const order = shuffled(rooms, chance);
  const reply = db.raw.prepare("UPDATE message_rows SET reply_count = reply_count + 1 WHERE id = ?");
  const answered = (id: string): void => void reply.run(id);
  const step = (330 * 86_400_000_000) / size.messages;
  for (const [n, at] of order.entries()) {
    insertMessage(insert, answered, rooms[at]!, n, START + 1_000_000 + Math.floor(n * step), chance);
    if (n % 5000 === 4999) indexNewMessages(db);
    if (n % 50_000 === 49_999) db.raw.exec("COMMIT; BEGIN");
  }
  const ended = db.raw.prepare(
    "UPDATE channels SET last_message_at = ?1, last_stamp = ?1, message_count = ?2 WHERE cid = ?3",
  );
  // Read states as in real use: half of the members are up to date, the others some messages behind.
  const read = db.raw.prepare("UPDATE reads SET unread = ?, last_read = ? WHERE cid = ? AND user_id = ?");
  const unread = db.raw.prepare(
    "SELECT count(*) AS n FROM messages WHERE cid = ? AND listed = 1 AND counts = 1 AND user_id <> ? AND created_at > ?",
  );
  for (const room of rooms) {
    ended.run(room.last, room.count, room.cid);
    for (const id of room.members) {
      const since = chance.chance(0.5) ? room.last : room.last - Math.floor(step * size.channels * 5);
      read.run((unread.get(room.cid, id, since) as { n: number }).n, since, room.cid, id);
    }
  }
  indexNewMessages(db);
  db.raw.exec("COMMIT");
  db.close();
}

function makeRooms(size: Size, people: readonly string[], chance: Dice): Room[] {
  return Array.from({ length: size.channels }, (_, n) => {
    const members = new Set<string>([people[n % people.length]!]);
    if (n % (size.channels / Math.min(size.channels, READER_CHANNELS)) === 0) members.add(READER);
    const wantedMembers = 2 + chance.below(19);
    while (members.size < wantedMembers) members.add(chance.pick(people));
    const wanted = size.channels === 1 ? size.messages : n % 1000 === 0 ? 10_000 : n % 10 === 0 ? 400 : 56;
    return {
      cid: `messaging:room-${n}`,
      members: [...members],
      wanted,
      count: 0,
      last: START,
      parent: undefined,
    };
  });
}

type Insert = (table: string, row: Record<string, SQLInputValue>) => void;

function insertRoom(insert: Insert, { cid, members }: Room): void {
  insert("channels", {
    cid,
    type: "messaging",
    id: cid.slice("messaging:".length),
    created_at: START,
    updated_at: START,
    created_by: members[0]!,
    member_count: members.length,
    data: JSON.stringify({ name: `Room ${cid}`, topic: "Everything that is of interest here" }),
  });
  for (const [n, user_id] of members.entries()) {
    insert("members", { cid, user_id, created_at: START + n, updated_at: START + n });
    insert("reads", { cid, user_id, last_read: START });
  }
}

/** The channel of the n-th message: every channel gets its number of messages, all shuffled. */
function shuffled(rooms: readonly Room[], chance: Dice): Uint32Array {
  const total = rooms.reduce((sum, room) => sum + room.wanted, 0);
  const order = new Uint32Array(total);
  let at = 0;
  for (const [n, room] of rooms.entries()) order.fill(n, at, (at += room.wanted));
  for (let i = total - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

function insertMessage(
  insert: Insert,
  answered: (id: string) => void,
  room: Room,
  n: number,
  at: number,
  chance: Dice,
): void {
  const user = chance.pick(room.members);
  const id = `${user}-${n.toString(16).padStart(8, "0")}-4000-8000-0000-000000000000`;
  const parent = room.parent !== undefined && chance.chance(0.02) ? room.parent : undefined;
  const reply = parent !== undefined;
  const reacted = chance.chance(0.03) ? chance.pick(room.members) : undefined;
  const data: Record<string, unknown> = { member: { channel_role: "channel_member" } };
  if (chance.chance(0.02))
    data.attachments = [{ type: "image", image_url: `https://pictures.example/${n}.jpg`, title: `${n}.jpg` }];
  if (chance.chance(0.02)) data.mentioned = [chance.pick(room.members)];
  insert("message_rows", {
    id,
    cid: room.cid,
    created_at: at,
    updated_at: at,
    user_id: user,
    type: reply ? "reply" : "regular",
    listed: reply ? 0 : 1,
    counts: reply ? 0 : 1,
    parent_id: parent?.id ?? null,
    text: sentence(chance),
    reactions: reacted === undefined ? null : reactionsOf(id, reacted, at),
    data: JSON.stringify(data),
  });
  if (reacted !== undefined)
    insert("reactions", {
      message_id: id,
      user_id: reacted,
      type: "love",
      score: 1,
      created_at: at,
      updated_at: at,
    });
  room.count++;
  if (parent) {
    answered(parent.id);
    for (const one of [parent.user, user])
      if (!parent.known.has(one)) {
        parent.known.add(one);
        insert("threads", {
          parent_id: parent.id,
          user_id: one,
          cid: room.cid,
          created_at: at,
          written: one === user ? 1 : 0,
          last_read: at,
        });
      }
  } else {
    room.last = at;
    if (chance.chance(0.1)) room.parent = { id, user, known: new Set() };
  }
}

function reactionsOf(messageId: string, userId: string, at: number): string {
  const time = new Date(at / 1000).toISOString();
  const one = {
    type: "love",
    user_id: userId,
    message_id: messageId,
    score: 1,
    created_at: time,
    updated_at: time,
  };
  return JSON.stringify({
    groups: { love: { count: 1, sum_scores: 1, first_reaction_at: time, last_reaction_at: time } },
    latest: [one],
  });
}

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");

/** One of 8000 words; the first ones occur far more often, as in natural language. */
function pickWord(chance: Dice): string {
  const n = Math.floor(8000 * (chance.below(1_000_000) / 1_000_000) ** 3);
  return SYLLABLES[n % 20]! + SYLLABLES[Math.floor(n / 20) % 20]! + SYLLABLES[Math.floor(n / 400)]!;
}

function sentence(chance: Dice): string {
  const words = Array.from({ length: 6 + chance.below(12) }, () => pickWord(chance));
  if (chance.chance(0.01)) words[0] = RARE_WORDS[0];
  if (chance.chance(0.001)) words[1] = RARE_WORDS[1];
  return `${words.join(" ")}.`;
}
