/** What a review leaves on flags and reports. */
import type { User } from "../../../../wire/entities/user.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { People } from "../../users/view/users.ts";

interface Reviewed {
  reviewed_at: number | null;
  reviewed_by: string | null;
  review_result: string | null;
}

interface Shown {
  reviewed_at?: string;
  reviewed_by?: User;
  approved_at?: string;
  rejected_at?: string;
}

/** The results `approved` and `rejected` have a date of their own. */
export function reviewOf(people: People, row: Reviewed): Shown {
  if (row.reviewed_at === null) return {};
  const at = timeFromMicros(row.reviewed_at);
  return {
    reviewed_at: at,
    ...(row.reviewed_by === null ? {} : { reviewed_by: people.get(row.reviewed_by) }),
    ...(row.review_result === "approved" ? { approved_at: at } : {}),
    ...(row.review_result === "rejected" ? { rejected_at: at } : {}),
  };
}
