/** What the filter of a segment picks, users or channels: its fields, and the query it stands for (SG-4). */
import { channelFields } from "../../channels/storage/filter.ts";
import type { CompiledFilter, FieldLookup } from "../../query/filter.ts";
import { serverUserField } from "../../users/storage/filter.ts";

/** The fields of a segment's own filter: those of the users, or of the channels, it picks from (SG-4). */
export const segmentFields = (type: string, now: number): FieldLookup =>
  type === "user" ? serverUserField : channelFields(undefined, now);

/** FROM and WHERE of what a compiled segment filter means. */
export function selection(type: string, where: CompiledFilter): { from: string; where: string } {
  return type === "user"
    ? { from: "users u", where: `u.deleted_at IS NULL AND u.deactivated_at IS NULL AND (${where.text})` }
    : {
        from: `channels c LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ''
               LEFT JOIN reads r ON r.cid = c.cid AND r.user_id = ''`,
        where: `c.deleted_at IS NULL AND (${where.text})`,
      };
}
