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
  user: UserRow;
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
  const id = byId(db, first);
  if (id) return { user: id, remainingText: words.slice(1).join("").trim() };
  // Names may contain spaces, so the longest known one is used.
  for (let n = Math.min(MAX_NAME_WORDS, (words.length + 1) / 2); n > 0; n--) {
    const user = byName(db, cid, words.slice(0, 2 * n - 1).join(""));
    if (user)
      return {
        user,
        remainingText: words
          .slice(2 * n - 1)
          .join("")
          .trim(),
      };
  }
  return { unknown: first };
}
