/** Which function stores which type of item, and what they share (specification/admin.md §10). */
import type { ImportItem, ImportType } from "../../../../wire/entities/import.ts";
import { putChannel, putMember } from "./import-channels.ts";
import { putMessage, putReaction } from "./import-messages.ts";
import { putBanOfFuture, putDevice, putUser } from "./import-people.ts";
import type { ImportContext } from "./import-context.ts";

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
