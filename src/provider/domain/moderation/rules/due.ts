/** What moderation does by the clock: bans that are over are lifted and told, previews nobody acted upon go away. */
import type { DueWork } from "../../../base/ports.ts";
import { liftOver } from "./bans.ts";
import { removeExpiredPreviews, firstPreviewEnd } from "../../posting/storage/previews.ts";
import { nextBanEnd } from "../storage/ban-rows.ts";

export const bansDue: DueWork = {
  name: "bans",
  next: nextBanEnd,
  run: (due) => void liftOver(due),
};

export const previewsDue: DueWork = {
  name: "previews",
  next: firstPreviewEnd,
  run: ({ db, now }) => removeExpiredPreviews(db, now()),
};
