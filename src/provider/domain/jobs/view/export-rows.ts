/** The objects that exports write: channels, members, messages, reactions and users, without personal fields. */
import type { Channel, Member, Read } from "../../../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../../../wire/entities/message.ts";
import type { User } from "../../../../wire/entities/user.ts";
import type { DueContext } from "../../../base/ports.ts";
import { channelView, memberView, readView } from "../../channels/view/channels.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";
import { privacyOf, publicUser } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { storedReaction } from "../../messages/storage/reactions.ts";
import { membersAfter, messagesAfter, reactionsOnAll } from "../storage/exported.ts";
import { readRow, findAnyChannel } from "../../channels/storage/rows.ts";

export interface ExportPart {
  cid: string;
  /** Whole microseconds, inclusive, as is `until`. */
  since: number | null;
  until: number | null;
}

export const exportViewContext = (due: DueContext): ViewContext => viewContext(due.db, due.emit, due.now());

export function exportedChannel(due: DueContext, context: ViewContext, cid: string): Channel | undefined {
  const row = findAnyChannel(due.db, cid);
  return row && channelView(context.people, row);
}

interface MemberPage {
  members: Member[];
  reads: Read[];
  /** The last user id of the page. */
  last: string | undefined;
}

/** Members sorted by user id, with their read states. */
export function memberPage(
  due: DueContext,
  context: ViewContext,
  cid: string,
  after: string,
  size: number,
): MemberPage {
  const rows = membersAfter(due.db, cid, after, size);
  context.people.load(rows.map(({ user_id }) => user_id));
  const creator = findAnyChannel(due.db, cid);
  const reads = rows.flatMap(({ user_id }) => {
    const read = readRow(due.db, cid, user_id);
    return read ? [readView(context.people, read)] : [];
  });
  return {
    members: rows.map((row) => ({
      ...memberView(context.people, row, creator?.created_by),
      ...(row.hidden_at === null ? {} : { hidden: true }),
    })),
    reads,
    last: rows.at(-1)?.user_id,
  };
}

export interface MessagePage {
  messages: { message: Message; reactions: Reaction[] }[];
  /** The cursor of the next page: time and id of the last message. */
  last: [number, string] | undefined;
}

/** Messages and replies, oldest first; deleted ones include their text unless `clearDeleted`. */
export function messagePage(
  due: DueContext,
  context: ViewContext,
  part: ExportPart,
  after: readonly [number, string],
  size: number,
  clearDeleted: boolean,
): MessagePage {
  const rows = messagesAfter(due.db, part, after, size);
  const reactions = new Map<string, Reaction[]>();
  const ids = rows.filter((row) => row.reactions !== null).map((row) => row.id);
  const reactionRows = reactionsOnAll(due.db, ids);
  context.people.load(reactionRows.map(({ user_id }) => user_id));
  for (const row of reactionRows)
    (reactions.get(row.message_id) ?? reactions.set(row.message_id, []).get(row.message_id)!).push({
      ...storedReaction(row),
      user: context.people.get(row.user_id),
    });
  const views = messageViews(context, rows, false);
  const last = rows.at(-1);
  return {
    messages: views.map((message, i) => {
      const row = rows[i]!;
      if (message.type === "deleted" && !clearDeleted) message.text = row.text;
      return { message, reactions: reactions.get(row.id) ?? [] };
    }),
    last: last && [last.created_at, last.id],
  };
}

export function exportedUser(due: DueContext, row: UserRow): User {
  return {
    ...publicUser(row, due.emit.online(row.id)),
    invisible: row.invisible === 1,
    privacy_settings: privacyOf(row),
  };
}
