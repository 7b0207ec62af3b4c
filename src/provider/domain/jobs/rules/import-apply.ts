/** Which function stores which type of item, and what they share (specification/admin.md §10). */
import type { ImportItem, ImportType } from "../../../../wire/import.ts";
import type { Database } from "../../../store/database.ts";
import { putChannel, putMember } from "./import-channels.ts";
import { putMessage, putReaction } from "./import-messages.ts";
import { putBanOfFuture, putDevice, putUser } from "./import-people.ts";

/** One batch of an import. */
export interface ImportContext {
  db: Database;
  importId: string;
  /** Whole microseconds. */
  now: number;
  /** Mode insert: what is there stays as it is. */
  insertOnly: boolean;
  /** `merge_custom`: old custom fields stay beside the new ones. */
  merge: boolean;
  /** Messages whose reactions changed. */
  reacted: Set<string>;
}

const PUT: Record<ImportType, (context: ImportContext, item: ImportItem) => void> = {
  user: putUser,
  device: putDevice,
  future_channel_ban: putBanOfFuture,
  channel: putChannel,
  member: putMember,
  message: putMessage,
  reaction: putReaction,
};

export const applyItem = (context: ImportContext, item: ImportItem): void => PUT[item.type](context, item);
