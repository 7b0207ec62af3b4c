/** Routes of drafts by the name of their endpoint row. */
import { deleteDraft, getDraft, queryDrafts, saveDraft } from "./rules/drafts.ts";

export const draftRoutes = { saveDraft, getDraft, deleteDraft, queryDrafts };
