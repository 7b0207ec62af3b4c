/** Reads channels, members, read states and users of an archive. */
import type { DatabaseSync } from "node:sqlite";
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { User } from "../../wire/entities/user.ts";

const parsed = <T>(row: Record<string, unknown>): T => JSON.parse(String(row.raw)) as T;

/** `cids`: empty = all. */
export function* channelsIn(db: DatabaseSync, cids: readonly string[] = []): Iterable<Channel> {
  const all = db.prepare("SELECT cid FROM channels ORDER BY cid").all();
  const one = db.prepare("SELECT raw FROM channels WHERE cid = ?");
  for (const cid of cids.length > 0 ? cids : all.map((row) => String(row.cid))) {
    const row = one.get(cid);
    if (row) yield parsed<Channel>(row);
  }
}

export function* membersIn(db: DatabaseSync, cid: string): Iterable<Member> {
  for (const row of db.prepare("SELECT raw FROM members WHERE cid = ? ORDER BY user_id").iterate(cid))
    yield parsed<Member>(row);
}

export const readsIn = (db: DatabaseSync, cid: string): Read[] =>
  db
    .prepare("SELECT raw FROM reads WHERE cid = ? ORDER BY user_id")
    .all(cid)
    .map((row) => parsed<Read>(row));

export function* usersIn(db: DatabaseSync): Iterable<User> {
  for (const row of db.prepare("SELECT raw FROM users ORDER BY id").iterate()) yield parsed<User>(row);
}
