/** Drafts with the objects around them: channel, parent message and quoted message (drafts-reminders-search.md A2). */
import type { Draft } from "../../../wire/draft.ts";
import type { ChannelRow } from "../channels/rows.ts";
import { channelView } from "../channels/view.ts";
import type { MessageRow } from "../messages/rows.ts";
import { messageViews, type Looking } from "../messages/view.ts";
import { draftView, type DraftRow } from "./rows.ts";

/** Drafts of the viewer in the order of the rows; a whole page is read together. */
export function fullDrafts(at: Looking, rows: readonly DraftRow[]): Draft[] {
  const channels = new Map(
    at.db
      .all<ChannelRow>(
        "SELECT * FROM channels WHERE cid IN (SELECT value FROM json_each(?))",
        JSON.stringify([...new Set(rows.map(({ cid }) => cid))]),
      )
      .map((channel) => [channel.cid, channelView(at.people, channel)] as const),
  );
  const ids = new Set(rows.flatMap(({ parent_id, quoted_id }) => [parent_id, quoted_id ?? ""]));
  ids.delete("");
  const found = at.db.all<MessageRow>(
    "SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...ids]),
  );
  const messages = new Map(messageViews(at, found).map((message) => [message.id, message]));
  return rows.map((row) => {
    const draft = draftView(at.people, row);
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
