/** What a webhook sends besides its event: the unread numbers of its user, and the members of the channel with theirs (specification/admin.md §12). */
import { WEBHOOK_MEMBERS } from "../../../../wire/constants.ts";
import type { AnyEvent } from "../../../../wire/events.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import { findChannel, readRow } from "../../channels/storage/rows.ts";
import { unreadTotals } from "../../reads/storage/unread.ts";
import { memberView } from "../../channels/view/channels.ts";
import { People } from "../../users/view/users.ts";
import { memberRows } from "../../channels/storage/members.ts";

export function hookExtras(
  db: Database,
  emit: Pick<Emit, "online">,
  event: AnyEvent,
): Record<string, unknown> {
  const channel = event.cid === undefined ? undefined : findChannel(db, event.cid);
  if (!channel) return {};
  const rows = memberRows(db, channel.cid, WEBHOOK_MEMBERS);
  const people = new People(db, emit);
  people.load(rows.map(({ user_id }) => user_id));
  const withCounts = <U extends { id: string }>(user: U): U => {
    const read = readRow(db, channel.cid, user.id);
    return {
      ...user,
      ...unreadTotals(db, user.id),
      channel_unread_count: read?.unread ?? 0,
      ...(read ? { channel_last_read_at: timeFromMicros(read.last_read) } : {}),
    };
  };
  return {
    ...(event.user && { user: withCounts(event.user) }),
    members: rows.map((row) => {
      const member = memberView(people, row, channel.created_by);
      return { ...member, ...(member.user && { user: withCounts(member.user) }) };
    }),
  };
}
