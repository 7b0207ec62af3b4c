/** The domain half as the transport half sees it: tables, routes, and the few questions asked between calls. */
import type { Domain } from "../ports.ts";
import { findChannel, memberRow } from "./channel-rows.ts";
import { handlers } from "./handlers.ts";
import { connectUser, ownUser, touchOnline } from "./me.ts";
import { can, mayRead, mayUpload, openTypes } from "./policy.ts";
import { domainMigrations } from "./schema.ts";
import { findUser } from "./user-view.ts";

export const domain: Domain = {
  migrations: domainMigrations,
  handlers,
  connectUser,
  ownUser,
  touch: touchOnline,
  mayUpload,

  account(db, userId) {
    const row = findUser(db, userId);
    return (
      row && {
        role: row.role,
        banned: row.banned === 1,
        deactivated: row.deactivated_at !== null,
        deleted: row.deleted_at !== null,
        invisible: row.invisible === 1,
        revokedBefore: undefined,
      }
    );
  },

  /** Asks in the direction of the smaller side: a few people online against a channel of many, or the reverse. */
  membersAmong(db, cid, users) {
    const open = "(invited = 0 OR invite_accepted_at IS NOT NULL)";
    const { member_count: members } = findChannel(db, cid) ?? { member_count: 0 };
    if (members <= users.size)
      return db
        .all<{ user_id: string }>(`SELECT user_id FROM members WHERE cid = ? AND ${open}`, cid)
        .flatMap(({ user_id }) => (users.has(user_id) ? [user_id] : []));
    return [...users.keys()].filter((id) =>
      db.get(`SELECT 1 FROM members WHERE cid = ? AND user_id = ? AND ${open}`, cid, id),
    );
  },

  inaccessible(db, userId, cids) {
    const role = findUser(db, userId)?.role ?? "user";
    const open = new Set(openTypes(role));
    return cids.filter((cid) => {
      const channel = findChannel(db, cid);
      if (!channel || channel.disabled) return true;
      return !open.has(channel.type) && channel.created_by !== userId && !memberRow(db, cid, userId);
    });
  },

  mayDeleteUpload(call, cid) {
    return can(mayRead(call, cid), "delete-attachment", false);
  },
};
