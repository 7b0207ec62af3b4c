/** Output as import items, in the order `parley import upload` needs (specification/admin.md §10). */
import type { Message } from "../../wire/entities/message.ts";
import {
  channelItem,
  memberItem,
  messageItem,
  reactionItem,
  unimportable,
  userItem,
} from "../../wire/imports/convert.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import type { Exported, ExportForm, ExportedAll } from "./form.ts";

const line = (item: ImportItem): string => `${JSON.stringify(item)}\n`;

/** Calls `onLeftOut` for each message an import cannot carry. `isExported`: whether the export has a message before another one. */
export function importForm(
  all: ExportedAll,
  isExported: (id: string, before: Message) => boolean,
  onLeftOut: (id: string) => void,
): ExportForm {
  const lines = (exported: Exported): string => {
    const { message, replies } = exported;
    const { parent_id: parent, quoted_message_id: quoted } = message;
    if (unimportable(message, parent !== undefined && isExported(parent, message)) !== undefined) {
      onLeftOut(message.id);
      return "";
    }
    // What the provider no longer has does not come back to life elsewhere.
    const shown: Message =
      exported.gone === undefined || message.type === "deleted"
        ? message
        : { ...message, type: "deleted", deleted_at: exported.gone };
    const item = messageItem(shown, quoted && isExported(quoted, message) ? quoted : undefined);
    return line(item) + replies.map(lines).join("");
  };
  return {
    *begin() {
      for (const user of all.users()) yield line(userItem(user));
      for (const { channel, members } of all.channels()) {
        const banned = [...members()].filter((one) => one.banned).map((one) => one.user_id);
        yield line(channelItem(channel, banned));
      }
      for (const { channel, members, reads } of all.channels()) {
        const read = new Map([...reads()].map((one) => [one.user.id, one.last_read]));
        for (const member of members()) {
          const lastRead = read.get(member.user_id);
          yield line(
            memberItem({
              ...member,
              cid: channel.cid,
              ...(lastRead === undefined ? {} : { last_read: lastRead }),
            }),
          );
        }
      }
    },
    message: lines,
    *end() {
      for (const reaction of all.reactions()) yield line(reactionItem(reaction));
    },
  };
}
