/** The review of a flag in answers. */
import type { User } from "../../../../wire/entities/user.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { People } from "../../users/view/users.ts";

interface ReviewColumns {
  reviewed_at: number | null;
  reviewed_by: string | null;
  review_result: string | null;
}

interface ReviewFields {
  reviewed_at?: string;
  reviewed_by?: User;
  approved_at?: string;
  rejected_at?: string;
}

/** The results `approved` and `rejected` add a date of the same name. */
export function reviewOf(people: People, row: ReviewColumns): ReviewFields {
  if (row.reviewed_at === null) return {};
  const reviewedAt = timeFromMicros(row.reviewed_at);
  return {
    reviewed_at: reviewedAt,
    ...(row.reviewed_by === null ? {} : { reviewed_by: people.get(row.reviewed_by) }),
    ...(row.review_result === "approved" ? { approved_at: reviewedAt } : {}),
    ...(row.review_result === "rejected" ? { rejected_at: reviewedAt } : {}),
  };
}
