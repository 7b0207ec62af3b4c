/** Output as items of an import, in the order `parley import upload` needs (specification/admin.md §10). */
import type { Message } from "../../wire/entities/message.ts";
import { channelItem, memberItem, messageItem, reactionItem, userItem } from "../../wire/imports/convert.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import type { Exported, ExportForm, ExportedAll } from "./form.ts";

const line = (item: ImportItem): string => `${JSON.stringify(item)}\n`;

/** Types that an import knows. */
const CARRIED = new Set(["regular", "reply", "system", "deleted"]);

/** `left` hears of each message that cannot travel. `isHere` knows which messages the export holds before one. */
export function importForm(
  whole: ExportedAll,
  isHere: (id: string, before: Message) => boolean,
  left: (id: string) => void,
): ExportForm {
  const lines = (one: Exported): string => {
    const { message, replies } = one;
    const { parent_id: parent, quoted_message_id: quoted } = message;
    if (!CARRIED.has(message.type) || (parent !== undefined && !isHere(parent, message))) {
      left(message.id);
      return "";
    }
    const item = messageItem(message, quoted && isHere(quoted, message) ? quoted : undefined);
    return line(item) + replies.map(lines).join("");
  };
  return {
    *begin() {
      for (const user of whole.users()) yield line(userItem(user));
      for (const { channel, members } of whole.channels()) {
        const banned = [...members()].filter((one) => one.banned).map((one) => one.user_id);
        yield line(channelItem(channel, banned));
      }
      for (const { channel, members, reads } of whole.channels()) {
        const read = new Map([...reads()].map((one) => [one.user.id, one.last_read]));
        for (const member of members()) {
          const last = read.get(member.user_id);
          yield line(
            memberItem({ ...member, cid: channel.cid, ...(last === undefined ? {} : { last_read: last }) }),
          );
        }
      }
    },
    message: lines,
    *end() {
      for (const reaction of whole.reactions()) yield line(reactionItem(reaction));
    },
  };
}
