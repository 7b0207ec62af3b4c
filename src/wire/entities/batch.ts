/** Changes to many channels at once: the operations and how channels are chosen (specification/channels.md §13). */

export const BATCH_OPERATIONS = [
  "addMembers",
  "removeMembers",
  "inviteMembers",
  "assignRoles",
  "addModerators",
  "demoteModerators",
  "hide",
  "show",
  "archive",
  "unarchive",
  "updateData",
] as const;
export type BatchOperation = (typeof BATCH_OPERATIONS)[number];

/** A bare value is refused. */
type Chosen = { $eq: string } | { $in: string[] };

/** At least one of the two; both must hold. */
export interface ChosenChannels {
  cids?: Chosen;
  types?: Chosen;
}
