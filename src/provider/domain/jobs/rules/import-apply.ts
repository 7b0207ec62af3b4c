/** Stores an item of an import by its type (specification/admin.md §10). */
import type { ImportItem, ImportType } from "../../../../wire/entities/import.ts";
import { putChannel, putMember } from "./import-channels.ts";
import { putMessage, putReaction } from "./import-messages.ts";
import { putBanOfFuture, putDevice, putUser } from "./import-people.ts";
import type { ImportContext } from "./import-context.ts";

const STORE_BY_TYPE: Record<ImportType, (context: ImportContext, item: ImportItem) => void> = {
  user: putUser,
  device: putDevice,
  future_channel_ban: putBanOfFuture,
  channel: putChannel,
  member: putMember,
  message: putMessage,
  reaction: putReaction,
};

export const applyItem = (context: ImportContext, item: ImportItem): void =>
  STORE_BY_TYPE[item.type](context, item);
