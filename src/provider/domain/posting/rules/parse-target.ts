/** Finds the user named in a command's arguments: `@user` by id, then by name, ignoring case (specification/messages.md §5). */
import type { Database } from "../../../base/database.ts";
import {
  findUser,
  type UserRow,
  findUserInAnyCase,
  findUserByName,
  membersWithNames,
} from "../../users/storage/rows.ts";

const MAX_NAME_WORDS = 6;

interface CommandTarget {
  target: UserRow;
  /** The arguments after the user. */
  remainingText: string;
}

const notDeleted = (row: UserRow | undefined): UserRow | undefined =>
  row && row.deleted_at === null ? row : undefined;

function byId(db: Database, id: string): UserRow | undefined {
  return notDeleted(findUser(db, id)) ?? findUserInAnyCase(db, id);
}

/** A user by name; members of the channel come first. */
function byName(db: Database, cid: string, name: string): UserRow | undefined {
  const lowerName = name.toLowerCase();
  const member = membersWithNames(db, cid).find((row) => row.name.toLowerCase() === lowerName);
  return member ?? findUserByName(db, name);
}

/** The user at the start of `args`, or the unknown name. `args` is not blank. */
export function parseTarget(db: Database, cid: string, args: string): CommandTarget | { unknown: string } {
  const words = args.replace(/^@/, "").split(/(\s+)/);
  const first = words[0] ?? "";
  const textAfter = (count: number): string => words.slice(count).join("").trim();
  const userWithId = byId(db, first);
  if (userWithId) return { target: userWithId, remainingText: textAfter(1) };
  // Names may contain spaces, so the longest known one is used.
  for (let n = Math.min(MAX_NAME_WORDS, (words.length + 1) / 2); n > 0; n--) {
    const target = byName(db, cid, words.slice(0, 2 * n - 1).join(""));
    if (target) return { target, remainingText: textAfter(2 * n - 1) };
  }
  return { unknown: first };
}
