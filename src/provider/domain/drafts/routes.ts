/** Routes of drafts by the name of their endpoint row. */
import type { Handlers } from "../../base/handler.ts";
import { deleteDraft, getDraft, queryDrafts, saveDraft } from "./drafts.ts";

export const draftRoutes: Handlers = { saveDraft, getDraft, deleteDraft, queryDrafts };
