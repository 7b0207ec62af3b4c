/** Scheduled work of moderation: lifts expired bans and removes expired command previews. */
import type { DueWork } from "../../../base/ports.ts";
import { liftExpiredBan } from "./bans.ts";
import { commandPreviews } from "../../posting/storage/previews.ts";
import { nextBanEnd } from "../storage/bans.ts";

export const bansDue: DueWork = {
  name: "bans",
  next: nextBanEnd,
  run: (due) => void liftExpiredBan(due),
};

export const previewsDue: DueWork = {
  name: "previews",
  next: (db) => commandPreviews.min(db, "expires"),
  run: ({ db, now }) => void commandPreviews.remove(db, { expires: { upTo: now() } }),
};
