/** Joins the parts of the domain into the one object that the transport uses (base/ports.ts). */
import { due } from "./domain/due.ts";
import { needsReadingThread, longRoutes, watchFor } from "./domain/long-routes.ts";
import { handlers } from "./domain/handlers.ts";
import { connectDevice } from "./domain/devices/rules/devices.ts";
import { blockedRecipient, blockedAuthor } from "./domain/users/storage/blocks-in-pairs.ts";
import { connectUser, ownUser, touchOnline } from "./domain/users/rules/current-user.ts";
import { canDeleteUpload, requireUpload } from "./domain/access/view/policy.ts";
import { hookExtras } from "./domain/admin/view/hook-extras.ts";
import { startImport } from "./domain/jobs/rules/imports.ts";
import { tryTask } from "./domain/jobs/rules/work.ts";
import { prefetches } from "./domain/prefetches.ts";
import { registerWords } from "./domain/query/words.ts";
import { domainMigrations } from "./domain/schema.ts";
import { searchIndex, indexNewMessages } from "./domain/search/storage/schema.ts";
import { hiddenBefore, inaccessible } from "./domain/channels/view/sync.ts";
import { erasedAt, findUser } from "./domain/users/storage/rows.ts";
import { findGone } from "./domain/messages/storage/gone.ts";
import { announcesWatching } from "./domain/watching/rules/watching.ts";
import type { Account, Domain, UserSet } from "./base/ports.ts";
import type { Database } from "./base/database.ts";

function account(db: Database, userId: string): Account | undefined {
  const row = findUser(db, userId);
  return (
    row && {
      role: row.role,
      banned: row.banned === 1,
      banExpires: row.ban_expires ?? undefined,
      deactivated: row.deactivated_at !== null,
      deleted: row.deleted_at !== null,
      invisible: row.invisible === 1,
      revokedBefore: row.revoked_before ?? undefined,
    }
  );
}

const ACCEPTED = "(invited = 0 OR invite_accepted_at IS NOT NULL)";

/** Starts from the smaller set: the members of a small channel, or each connected user for a large one. */
function membersAmong(db: Database, cid: string, users: UserSet): string[] {
  const count = db.value<number>("SELECT member_count FROM channels WHERE cid = ?", cid) ?? 0;
  if (count <= users.size)
    return db
      .column<string>(`SELECT user_id FROM members WHERE cid = ? AND ${ACCEPTED}`, cid)
      .filter((userId) => users.has(userId));
  return [...users.keys()].filter((userId) =>
    db.has(`SELECT 1 FROM members WHERE cid = ? AND user_id = ? AND ${ACCEPTED}`, cid, userId),
  );
}

export const chat: Domain = {
  migrations: domainMigrations,
  registerFunctions: registerWords,
  derived: searchIndex,
  beforeCommit: indexNewMessages,
  handlers,
  prefetches,
  due,
  tryTask,
  longRoutes,
  needsReadingThread,
  watchFor,
  connectUser,
  ownUser,
  account,
  erasedAt,
  touch: touchOnline,
  announcesWatching,
  membersAmong,
  inaccessible,
  hookExtras,
  blockedRecipient,
  blockedAuthor,
  hiddenBefore,
  findGone,
  connectDevice,
  requireUpload,
  canDeleteUpload,
  startImport,
};
