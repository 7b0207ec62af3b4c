/** What moderation does at a time: lifts bans that have ended and removes previews nobody acted upon. */
import type { DueWork } from "../../../base/ports.ts";
import { liftExpiredBan } from "./bans.ts";
import { removeExpiredPreviews, firstPreviewEnd } from "../../posting/storage/previews.ts";
import { nextBanEnd } from "../storage/ban-rows.ts";

export const bansDue: DueWork = {
  name: "bans",
  next: nextBanEnd,
  run: (due) => void liftExpiredBan(due),
};

export const previewsDue: DueWork = {
  name: "previews",
  next: firstPreviewEnd,
  run: ({ db, now }) => removeExpiredPreviews(db, now()),
};
