/** Computes which parts of a message an update changed, for its event (specification/messages.md §6). */
import type { MessageChangeSet } from "../../../../wire/entities/message.ts";
import { canonical } from "../../query/canonical.ts";
import type { MessageData, MessageRow } from "../storage/rows.ts";

const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null);

/** `old_text` only when the text changed. */
export function changesOf(
  before: MessageRow,
  after: MessageRow,
): { old_text?: string; change_set: MessageChangeSet } {
  const [oldData, newData] = [before, after].map((row) => JSON.parse(row.data) as MessageData) as [
    MessageData,
    MessageData,
  ];
  const differs = (key: keyof MessageData): boolean => !same(oldData[key], newData[key]);
  return {
    ...(before.text === after.text ? {} : { old_text: before.text }),
    change_set: {
      text: before.text !== after.text,
      attachments: differs("attachments"),
      custom: differs("custom"),
      html: differs("html"),
      mentioned_user_ids: differs("mentioned"),
      mml: differs("mml"),
      pin: before.pinned_at !== after.pinned_at || before.pin_expires !== after.pin_expires,
      quoted_message_id: before.quoted_id !== after.quoted_id,
      silent: before.silent !== after.silent,
    },
  };
}
