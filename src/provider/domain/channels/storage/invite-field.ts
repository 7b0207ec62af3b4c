/** Filters by the state of an invite: pending, accepted or rejected. */
import { ownEntry } from "../../query/listing.ts";
import type { FilterField } from "../../query/filter-fields.ts";

/** `member`: the alias of the table of members in the query. */
export function inviteField(member: "m" | "me"): FilterField {
  const [accepted, rejected] = [`${member}.invite_accepted_at`, `${member}.invite_rejected_at`];
  const states = ownEntry({
    pending: `${member}.invited = 1 AND ${accepted} IS NULL AND ${rejected} IS NULL`,
    accepted: `${member}.invited = 1 AND ${accepted} IS NOT NULL`,
    rejected: `${member}.invited = 1 AND ${accepted} IS NULL AND ${rejected} IS NOT NULL`,
  });
  return {
    ops: ["$eq"],
    compile(_op, arg) {
      const text = typeof arg === "string" ? states(arg) : undefined;
      return text === undefined ? "$eq takes pending, accepted or rejected" : { text, values: [] };
    },
  };
}
