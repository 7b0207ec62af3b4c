/** Endpoints of drafts. */
import { entity, id, list, need } from "../entities/fields.ts";
import { actAs, cursors, row, withOperations } from "./row.ts";

export const draftsEndpoints = withOperations({
  /** Without `draft` in the answer when the message was empty: then the stored one is deleted (DR-2). */
  saveDraft: row("POST /channels/{type}/{id}/draft", {
    op: "CreateDraft",
    idempotent: true,
    answer: () => ({ draft: entity("Draft") }),
  }),
  getDraft: row("GET /channels/{type}/{id}/draft", {
    query: { ...actAs, parent_id: id() },
    answer: () => ({ draft: need(entity("Draft")) }),
  }),
  deleteDraft: row("DELETE /channels/{type}/{id}/draft", { query: { ...actAs, parent_id: id() } }),
  queryDrafts: row("POST /drafts/query", {
    safe: true,
    answer: () => ({ drafts: need(list(entity("Draft"))), ...cursors }),
  }),
});
