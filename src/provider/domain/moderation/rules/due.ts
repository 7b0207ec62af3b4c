/** What moderation does by the clock: bans that are over are lifted and told, previews nobody acted upon go away. */
import type { DueWork } from "../../../base/ports.ts";
import { liftOver } from "./bans.ts";
import { removeExpiredPreviews, firstPreviewEnd } from "../../posting/storage/previews.ts";

export const bansDue: DueWork = {
  name: "bans",
  next: (db) =>
    db.get<{ at: number | null }>(
      `SELECT min(at) AS at FROM (SELECT min(expires) AS at FROM bans WHERE expires IS NOT NULL
       UNION ALL SELECT min(expires) FROM future_bans WHERE expires IS NOT NULL)`,
    )?.at ?? undefined,
  run: (due) => void liftOver(due),
};

export const previewsDue: DueWork = {
  name: "previews",
  next: firstPreviewEnd,
  run: ({ db, now }) => removeExpiredPreviews(db, now()),
};
