/** What the views at the top of the sidebar open. */
import type { Views } from "./actions.ts";
import { openDrafts, openInbox } from "../popup/actions.ts";
import { runLine } from "../../actions/slash.ts";

export const VIEWS: Views = {
  "view:inbox": openInbox,
  "view:threads": (ui) => runLine(ui, "/thread list"),
  "view:drafts": openDrafts,
};
