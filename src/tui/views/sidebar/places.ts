/** What the views at the top of the sidebar open. */
import type { Views } from "./actions.ts";
import { openDrafts, openInbox } from "../popup/actions.ts";
import { runLine } from "../composer/slash.ts";

export const VIEWS: Views = {
  "view:inbox": openInbox,
  "view:threads": (ports) => runLine(ports, "/thread list"),
  "view:drafts": openDrafts,
};
