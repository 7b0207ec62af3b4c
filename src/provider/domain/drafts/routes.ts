/** Routes of drafts by the name of their endpoint row. */
export { deleteDraft, getDraft, queryDrafts, saveDraft } from "./rules/drafts.ts";
