/** The table of campaigns and their list. */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import {
  listPage,
  type OrderKey,
  type Cursor,
  bindingOf,
  readCursor,
  type ListPage,
} from "../../query/cursor.ts";
import type { CampaignStatus } from "../../../../wire/entities/campaign.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { EQUAL, textField, timeField, listField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";
import { BodyReader } from "../../validation/check.ts";

/** The columns that a request can write. */
const fields = {
  name: TEXT,
  description: TEXT,
  sender_id: TEXT,
  /** `""` without one. */
  sender_mode: TEXT,
  sender_visibility: TEXT,
  message_template: TEXT,
  channel_template: TEXT.null,
  create_channels: INTEGER,
  show_channels: INTEGER,
  skip_push: INTEGER,
  skip_webhook: INTEGER,
  segment_ids: TEXT,
  user_ids: TEXT,
};

export const campaigns = table(
  "campaigns",
  {
    id: TEXT.key,
    ...fields,
    status: TEXT.as<CampaignStatus>(),
    scheduled_for: INTEGER.null,
    stop_at: INTEGER.null,
    /** The start, or the next batch. */
    due_at: INTEGER.null,
    started_at: INTEGER.null,
    completed_at: INTEGER.null,
    messages_sent: INTEGER.default(0),
    channels_created: INTEGER.default(0),
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  {
    noun: "Campaign",
    indexes: {
      campaigns_by_age: "(created_at DESC, id DESC)",
      campaigns_due: "(due_at, id) WHERE due_at IS NOT NULL",
    },
  },
);
export type CampaignRow = RowOf<typeof campaigns>;
export type CampaignFields = Pick<CampaignRow, keyof typeof fields>;

/** The id of a scheduled or running campaign that uses the segment. */
export function campaignUsingSegment(db: Database, segmentId: string): string | undefined {
  return db.value<string>(
    `SELECT c.id FROM campaigns c, json_each(c.segment_ids) s WHERE c.status IN ('scheduled', 'in_progress')
     AND s.value = :segmentId LIMIT 1`,
    { segmentId },
  );
}

/** The campaign with the earliest start or next batch. */
export const firstCampaignDue = (db: Database): CampaignRow | undefined =>
  campaigns.find(db, { due_at: { not: null } }, { by: ["due_at", "id"], limit: 1 });

const SORTS = new Set(["id", "name", "status", "sender_id", "scheduled_for", "created_at", "updated_at"]);

export const CAMPAIGN_LIST: ListDefinition<CampaignRow> = {
  name: "campaigns",
  from: "campaigns c",
  columns: "c.*",
  fields: ownEntry({
    id: textField("c.id"),
    name: textField("c.name", [...EQUAL, "$autocomplete", "$q"]),
    status: textField("c.status"),
    sender_id: textField("c.sender_id"),
    segment_ids: listField("c.segment_ids", ["$eq", "$in", "$contains"]),
    user_ids: listField("c.user_ids", ["$eq", "$in", "$contains"]),
    scheduled_for: timeField("c.scheduled_for"),
    created_at: timeField("c.created_at"),
    updated_at: timeField("c.updated_at"),
  }),
  orders: (name) => (SORTS.has(name) ? `c.${name}` : undefined),
  fallback: [{ expression: "c.created_at", direction: -1, notNull: true }],
  tie: { expression: "c.id", direction: -1, notNull: true },
  limit: campaignBodies.queryCampaigns.limit,
};

const USERS_ORDER: OrderKey[] = [{ expression: "u.id", direction: 1, notNull: true }];
const usersBinding = (id: string): string => bindingOf("campaign users", id);

export const readUsersCursor = (check: BodyReader, campaignId: string): Cursor | undefined =>
  readCursor(check, usersBinding(campaignId), USERS_ORDER);

/** The users in a campaign's `user_ids`, sorted by id. */
export function campaignUsersPage(
  db: Database,
  campaignId: string,
  page: { limit: number; cursor?: Cursor | undefined },
): ListPage<UserRow> {
  return listPage<UserRow>(db, {
    columns: "u.*",
    from: "campaigns c, json_each(c.user_ids) j JOIN users u ON u.id = j.value",
    where: { text: "c.id = ?", values: [campaignId] },
    keys: USERS_ORDER,
    limit: page.limit,
    binding: usersBinding(campaignId),
    cursor: page.cursor,
  });
}
