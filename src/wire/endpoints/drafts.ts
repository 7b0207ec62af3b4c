/** Endpoints of drafts. */
import type { Draft } from "../draft.ts";
import type { draftBodies } from "../bodies/drafts.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs, ChannelPath } from "./row.ts";

const AT = "/channels/{type}/{id}/draft";

type Body<K extends keyof typeof draftBodies> = Infer<(typeof draftBodies)[K]>;

export const draftsEndpoints = {
  /** Without `draft` in the answer when the message was empty: then the stored one is deleted (DR-2). */
  saveDraft: row<ChannelPath, object, Body<"saveDraft">, { draft?: Draft }>("CreateDraft", "POST", AT, {
    idempotent: true,
  }),
  getDraft: row<ChannelPath, ActAs & { parent_id?: string }, undefined, { draft: Draft }>(
    "GetDraft",
    "GET",
    AT,
  ),
  deleteDraft: row<ChannelPath, ActAs & { parent_id?: string }>("DeleteDraft", "DELETE", AT),
  queryDrafts: row<object, object, Body<"queryDrafts">, { drafts: Draft[]; next?: string; prev?: string }>(
    "QueryDrafts",
    "POST",
    "/drafts/query",
    { safe: true },
  ),
} as const;
