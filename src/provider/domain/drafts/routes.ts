/** The handlers of drafts, each under the name of its endpoint. */
export { deleteDraft, getDraft, queryDrafts, saveDraft } from "./rules/drafts.ts";
