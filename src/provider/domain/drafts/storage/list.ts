/** The list of a user's drafts: filters, sort orders (DR-4) and pages. */
import { draftBodies } from "../../../../wire/bodies/drafts.ts";
import type { Database } from "../../../base/database.ts";
import { listPage, type ListPage } from "../../query/cursor.ts";
import { ONE_OF, DATE_RANGE, textField, timeField, type Sql } from "../../query/filter-fields.ts";
import { joinConditions } from "../../query/filter.ts";
import { ownEntry, type Listing, type ListDefinition } from "../../query/listing.ts";
import type { DraftRow } from "./rows.ts";

export const DRAFT_LIST: ListDefinition = {
  name: "drafts",
  fields: ownEntry({
    channel_cid: textField("d.cid", ONE_OF),
    // A draft without a parent has '' in the table and matches NULL in a filter.
    parent_id: textField("nullif(d.parent_id, '')", ["$eq", "$in", "$exists"]),
    created_at: timeField("d.created_at", DATE_RANGE),
  }),
  orders: ownEntry({ created_at: "d.created_at" }),
  fallback: [{ expression: "d.created_at", direction: -1 }],
  // A cid contains no space, so the space separates the two parts.
  tie: { expression: "d.cid || ' ' || d.parent_id", direction: 1 },
  limit: draftBodies.queryDrafts.limit,
};

/** `visible`: a condition on channel `c`. */
export function draftPage(db: Database, userId: string, visible: Sql, listing: Listing): ListPage<DraftRow> {
  return listPage<DraftRow>(db, {
    ...listing,
    columns: "d.*",
    from: "drafts d JOIN channels c ON c.cid = d.cid",
    where: joinConditions([{ text: "d.user_id = ?", values: [userId] }, visible, listing.where], " AND "),
  });
}
