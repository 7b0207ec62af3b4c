/** Filters of these routes are called `filter`: the same language, its problems under that name. */
import type { Database } from "../../store/database.ts";
import { Check } from "../asked/check.ts";
import { channelFields } from "../channels/filter.ts";
import { compileFilter, type CompiledFilter, type FieldLookup } from "../query/filter.ts";
import { teachWords } from "../query/words.ts";
import { serverUserField } from "../users/query.ts";

export function readFilter(
  check: Check,
  filter: unknown,
  fields: FieldLookup,
  name = "filter",
): CompiledFilter {
  const problems: Record<string, string> = {};
  const compiled = compileFilter(filter, fields, new Check({}, "", problems));
  for (const [path, problem] of Object.entries(problems))
    check.fail(path.replace(/^filter_conditions/, name), problem);
  return compiled;
}

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

export const prepareWords = (db: Database): void => teachWords(db.raw);
