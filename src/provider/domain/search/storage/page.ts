/** One page of the messages `m` that a search finds. */
import type { Database } from "../../../base/database.ts";
import { readerValues, SHOWN_TO_READER, type MessageRow } from "../../messages/storage/rows.ts";
import { listPage, type ListPage } from "../../query/cursor.ts";
import { EVERY_ROW, type Sql } from "../../query/filter-fields.ts";
import { joinConditions } from "../../query/filter.ts";
import type { Listing } from "../../query/listing.ts";
import { candidates } from "./candidates.ts";
import { ownDeletions } from "../../messages/storage/deleted-for-me.ts";

/** The searched channels, by cids and by rowids, and what the reader may see of them. */
interface Scope {
  cids: string[];
  rowids: number[];
  readsRestricted: boolean;
  hasHiddenHistory: boolean;
}

/** `indexQuery`: the full-text condition, undefined when the index cannot help. */
export function searchPage(
  db: Database,
  scope: Scope,
  userId: string | undefined,
  indexQuery: string | undefined,
  listing: Listing & { offset: number },
): ListPage<MessageRow> {
  const { from, condition } = source(db, scope, indexQuery);
  const hidden = notHidden(db, scope, userId);
  const { where } = listing;
  return listPage<MessageRow>(db, {
    ...listing,
    columns: "m.*",
    from: from.text,
    fromValues: from.values,
    where: {
      text: `${condition.text} AND m.type IN ('regular', 'reply') AND ${SHOWN_TO_READER} AND (${hidden.text}) AND (${where.text})`,
      values: [
        ...condition.values,
        ...readerValues({ userId, readsRestricted: scope.readsRestricted }),
        ...hidden.values,
        ...where.values,
      ],
    },
  });
}

/** Leaves out history that the reader hid and messages it deleted for itself; only for readers who did so. */
function notHidden(db: Database, { hasHiddenHistory }: Scope, userId: string | undefined): Sql {
  const parts: Sql[] = [];
  if (hasHiddenHistory)
    parts.push({
      text: `m.created_at > coalesce((SELECT x.hide_before FROM members x WHERE x.cid = m.cid AND x.user_id = ?), 0)`,
      values: [userId ?? ""],
    });
  if (userId !== undefined && ownDeletions.has(db, { user_id: userId }))
    parts.push({
      text: `NOT EXISTS (SELECT 1 FROM deleted_for_me d WHERE d.user_id = ? AND d.cid = m.cid AND d.message_id = m.id)`,
      values: [userId],
    });
  return joinConditions(parts, " AND ");
}

/** The messages to filter: those the index finds, or all of the channels when it cannot help; of a single one in the order of time. */
function source(
  db: Database,
  { rowids, cids }: Scope,
  indexQuery: string | undefined,
): { from: Sql; condition: Sql } {
  if (indexQuery !== undefined) {
    const found = JSON.stringify(candidates(db, indexQuery, rowids));
    return {
      from: {
        text: "json_each(?) k CROSS JOIN message_rows n ON n.rowid = k.value CROSS JOIN messages m ON m.id = n.id",
        values: [found],
      },
      condition: EVERY_ROW,
    };
  }
  const [cid] = cids;
  if (cids.length === 1)
    return { from: { text: "messages m", values: [] }, condition: { text: "m.cid = ?", values: [cid!] } };
  const from = "json_each(?) k CROSS JOIN messages m ON m.cid = k.value";
  return { from: { text: from, values: [JSON.stringify(cids)] }, condition: EVERY_ROW };
}
