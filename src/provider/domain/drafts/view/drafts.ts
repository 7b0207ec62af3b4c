/** Drafts with their channel, parent message and quoted message (specification/drafts.md §2). */
import type { Draft } from "../../../../wire/entities/draft.ts";
import { channelsByCid } from "../../channels/view/channels.ts";
import { messagesById } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import { draftView, type DraftRow } from "../storage/drafts.ts";

/** The viewer's drafts in the order of the rows; channels and messages of all rows are loaded together. */
export function fullDrafts(context: ViewContext, rows: readonly DraftRow[]): Draft[] {
  const channels = channelsByCid(
    context.people,
    rows.map(({ cid }) => cid),
  );
  const ids = new Set(rows.flatMap(({ parent_id, quoted_id }) => [parent_id, quoted_id ?? ""]));
  ids.delete("");
  const messages = messagesById(context, [...ids]);
  return rows.map((row) => {
    const draft = draftView(context.people, row);
    const channel = channels.get(row.cid);
    const parent = messages.get(row.parent_id);
    const quoted = row.quoted_id === null ? undefined : messages.get(row.quoted_id);
    return {
      ...draft,
      ...(channel ? { channel } : {}),
      ...(parent ? { parent_message: parent } : {}),
      ...(quoted ? { quoted_message: quoted } : {}),
    };
  });
}
