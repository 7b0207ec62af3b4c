/** Pages of messages for channels, threads and pins, with every option of PAGE-1…6. */
import { limit as rows, offset as before } from "../../../../wire/entities/fields.ts";
import { QUERY_MESSAGES_LIMIT, MAX_OFFSET } from "../../../../wire/constants.ts";
import { anchors, MESSAGE_ANCHORS, type MessageAnchor } from "../../../../wire/entities/query.ts";
import { invalidField } from "../../../base/problems.ts";
import type { Database } from "../../../base/database.ts";
import type { BodyReader } from "../../validation/check.ts";
import { visibilityValues, VISIBLE, type MessageRow, type Visibility } from "./rows.ts";

export interface MessagePaging {
  limit: number;
  offset: number;
  anchor: { option: MessageAnchor; id?: string; time?: number; field: string } | undefined;
}

/** Reads a pagination; at most one id or time option is allowed (PAGE-4). `field` prefixes the names in problems. */
export function readPaging(
  check: BodyReader,
  field = "",
  limits: readonly [number, number] = QUERY_MESSAGES_LIMIT,
): MessagePaging {
  const { limit, offset, ...requested } = check.read({
    ...anchors,
    limit: rows(limits),
    offset: before(MAX_OFFSET),
  });
  let anchor: MessagePaging["anchor"];
  for (const option of MESSAGE_ANCHORS) {
    const value = requested[option];
    if (value === undefined) continue;
    if (anchor) check.fail(option, `cannot be given together with ${anchor.option}`);
    anchor ??= {
      option,
      field: field + option,
      ...(typeof value === "string" ? { id: value } : { time: value }),
    };
  }
  return { limit, offset, anchor };
}

type Scope = { cid: string } | { parentId: string };

interface Position {
  created_at: number;
  id: string;
}

/** A page of rows, oldest → newest (PAGE-1). Throws code 4 for an unknown id. */
export function pageOf(
  db: Database,
  scope: Scope,
  visibility: Visibility,
  page: MessagePaging,
): MessageRow[] {
  const scopeCondition =
    "cid" in scope ? "m.cid = ? AND m.listed = 1" : "m.parent_id = ? AND m.parent_id IS NOT NULL";
  const key = "cid" in scope ? scope.cid : scope.parentId;
  const visible = visibilityValues(visibility);

  const select = (
    condition: string,
    values: (string | number)[],
    newestFirst: boolean,
    limit: number,
    offset = 0,
  ) => {
    if (limit < 1) return [];
    const direction = newestFirst ? "DESC" : "ASC";
    const rows = db.all<MessageRow>(
      `SELECT m.* FROM messages m WHERE ${scopeCondition} ${condition} AND ${VISIBLE}
       ORDER BY m.created_at ${direction}, m.id ${direction} LIMIT ? OFFSET ?`,
      key,
      ...values,
      ...visible,
      limit,
      offset,
    );
    return newestFirst ? rows.toReversed() : rows;
  };

  const { anchor, limit, offset } = page;
  if (!anchor) return select("", [], true, limit, offset);
  const { option } = anchor;
  const position =
    anchor.id === undefined ? undefined : findPosition(db, scope, visibility, anchor.id, anchor.field);
  const anchorValues: (string | number)[] = position ? [position.created_at, position.id] : [anchor.time!];
  const where = (sign: "<" | "<=" | ">" | ">="): string =>
    position ? `AND (m.created_at, m.id) ${sign} (?, ?)` : `AND m.created_at ${sign} ?`;

  switch (option) {
    case "id_lt":
    case "created_at_before":
      return select(where("<"), anchorValues, true, limit, offset);
    case "id_lte":
    case "created_at_before_or_equal":
      return select(where("<="), anchorValues, true, limit, offset);
    case "id_gt":
    case "created_at_after":
      return select(where(">"), anchorValues, false, limit, offset);
    case "id_gte":
    case "created_at_after_or_equal":
      return select(where(">="), anchorValues, false, limit, offset);
    case "id_around":
    case "created_at_around": {
      // PAGE-5: floor((limit-1)/2) newer, the rest of limit-1 older, a short side is not topped up. For a time the
      // middle is the newest message at or before it.
      const newer = Math.floor((limit - 1) / 2);
      return [
        ...select(where("<="), anchorValues, true, limit - newer),
        ...select(where(">"), anchorValues, false, newer),
      ];
    }
  }
}

function findPosition(
  db: Database,
  scope: Scope,
  visibility: Visibility,
  id: string,
  field: string,
): Position {
  const row = db.get<Position & { parent_id: string | null }>(
    `SELECT m.created_at, m.id, m.parent_id FROM messages m WHERE m.id = ? AND ${"cid" in scope ? "m.cid" : "m.parent_id"} = ? AND ${VISIBLE}`,
    id,
    "cid" in scope ? scope.cid : scope.parentId,
    ...visibilityValues(visibility),
  );
  if (!row) throw invalidField(field, `${id} does not exist`, `Message ${id} does not exist here`);
  return row;
}

/** The channel's pins that have not expired, newest pin first. */
export function pinsOf(
  db: Database,
  cid: string,
  visibility: Visibility,
  now: number,
  limit = 10,
): MessageRow[] {
  // A quick check first: most channels have no pins, and the query below takes twenty times as long to find none.
  if (!db.has("SELECT 1 FROM message_rows WHERE cid = ? AND pinned_at IS NOT NULL LIMIT 1", cid)) return [];
  // INDEXED BY, because the condition on time would make the planner read all messages of the channel.
  return db.all<MessageRow>(
    `SELECT m.* FROM message_rows p INDEXED BY messages_pinned CROSS JOIN messages m ON m.id = p.id
     WHERE p.cid = ? AND p.pinned_at IS NOT NULL AND (m.pin_expires IS NULL OR m.pin_expires > ?)
     AND m.type <> 'deleted' AND ${VISIBLE} ORDER BY m.pinned_at DESC LIMIT ?`,
    cid,
    now,
    ...visibilityValues(visibility),
    limit,
  );
}
