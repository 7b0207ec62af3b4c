/** Bodies of drafts. */
import { DRAFTS_LIMIT } from "../constants.ts";
import { need, object, type Field, type Infer } from "../entities/fields.ts";
import { acting, listing } from "./frame.ts";
import { draftMessage } from "./messages.ts";

/** The message of a draft as it is sent: mentions are ids. */
export type DraftInput = Infer<typeof draftMessage>;

export const draftBodies = {
  saveDraft: { ...acting, message: need(object(draftMessage) as unknown as Field<DraftInput>) },
  queryDrafts: listing(DRAFTS_LIMIT),
};
