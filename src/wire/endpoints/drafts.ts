/** Endpoints of drafts. */
import type { Draft } from "../entities/draft.ts";
import type { draftBodies } from "../bodies/drafts.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs, type ChannelPath } from "./row.ts";

type Body<K extends keyof typeof draftBodies> = Infer<(typeof draftBodies)[K]>;

export const draftsEndpoints = withOperations({
  /** Without `draft` in the answer when the message was empty: then the stored one is deleted (DR-2). */
  saveDraft: row<{ draft?: Draft }, Body<"saveDraft">, ChannelPath>("POST /channels/{type}/{id}/draft", {
    op: "CreateDraft",
    idempotent: true,
  }),
  getDraft: row<{ draft: Draft }, undefined, ChannelPath, ActAs & { parent_id?: string }>(
    "GET /channels/{type}/{id}/draft",
  ),
  deleteDraft: row<object, undefined, ChannelPath, ActAs & { parent_id?: string }>(
    "DELETE /channels/{type}/{id}/draft",
  ),
  queryDrafts: row<{ drafts: Draft[]; next?: string; prev?: string }, Body<"queryDrafts">>(
    "POST /drafts/query",
    { safe: true },
  ),
});
