/** Bodies of drafts. */
import { DRAFTS_LIMIT } from "../constants.ts";
import type { DraftInput } from "../entities/draft.ts";
import { need, object, type Field } from "../entities/fields.ts";
import { acting, listing } from "./frame.ts";
import { draftMessage } from "./messages.ts";

export const draftBodies = {
  saveDraft: { ...acting, message: need(object(draftMessage) as unknown as Field<DraftInput>) },
  queryDrafts: listing(DRAFTS_LIMIT),
};
