/** Output as import items, in the order `parley import upload` needs (specification/admin.md §10). */
import type { Message } from "../../wire/entities/message.ts";
import {
  channelItem,
  countUnusedParts,
  memberItem,
  messageItem,
  reactionItem,
  unimportable,
  userItem,
} from "../../wire/imports/convert.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import type { Exported, ExportForm, ExportedAll, OnUnused } from "./form.ts";

const line = (item: ImportItem): string => `${JSON.stringify(item)}\n`;

/** `isExported`: whether the export has a message before another one. */
export function importForm(
  all: ExportedAll,
  isExported: (id: string, before: Message) => boolean,
): ExportForm {
  const quotedBy = (message: Message): string | undefined => {
    const { quoted_message_id: quoted } = message;
    return quoted && isExported(quoted, message) ? quoted : undefined;
  };
  const refusal = (message: Message): string | undefined =>
    unimportable(message, message.parent_id !== undefined && isExported(message.parent_id, message));
  const countUnused = ({ message, replies }: Exported, add: OnUnused): void => {
    const reason = refusal(message);
    if (reason === undefined) countUnusedParts(message, quotedBy(message) !== undefined, add);
    else {
      add(message.parent_id === undefined ? "message" : "reply", reason);
      return add("reply", "their message cannot be imported", replies.length);
    }
    for (const reply of replies) countUnused(reply, add);
  };
  const lines = (exported: Exported): string => {
    const { message, replies } = exported;
    if (refusal(message) !== undefined) return "";
    // What the provider no longer has does not come back to life elsewhere.
    const shown: Message =
      exported.gone === undefined || message.type === "deleted"
        ? message
        : { ...message, type: "deleted", deleted_at: exported.gone };
    const item = messageItem(shown, quotedBy(message));
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
    countUnused,
    *end() {
      for (const reaction of all.reactions()) yield line(reactionItem(reaction));
    },
  };
}
