/** What the views at the top of the sidebar open. */
import type { Views } from "./moving.ts";
import { openDrafts, openInbox } from "./popups.ts";
import { runLine } from "./slash.ts";

export const VIEWS: Views = {
  "view:inbox": openInbox,
  "view:threads": (ui) => runLine(ui, "/thread list"),
  "view:drafts": openDrafts,
};
