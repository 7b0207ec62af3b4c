/** Scheduled work of moderation: lifts expired bans and removes expired command previews. */
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
