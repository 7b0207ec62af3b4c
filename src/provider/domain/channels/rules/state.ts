/** The state of channels for one caller: messages, members, reads, watchers and pins, as channel.query and channels.query answer. */
import type { ChannelState, Read } from "../../../../wire/channel.ts";
import { CHANNEL_WATCHERS_LIMIT } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { channelFor, memberRows, membershipView, memberView, readView } from "../view/channels.ts";
import { readRow, type MemberRow, type ReadRow } from "../storage/rows.ts";
import { draftsIn } from "../../drafts/storage/rows.ts";
import { channelPush } from "../../devices/storage/channel-push.ts";
import { liveLocationsOf } from "../../locations/view/locations.ts";
import { threadsIn } from "../../threads/view/in-channel.ts";
import { pendingOf } from "../../messages/view/pending.ts";
import { messageViews, type Looking } from "../../messages/view/messages.ts";
import type { MessageRow, Visibility } from "../../messages/storage/rows.ts";
import { sightOf } from "../../messages/view/reading.ts";
import { pageOf, pinsOf, type Page } from "../../messages/storage/paging.ts";
import { seesShadowBan, type Permissions } from "../../access/view/policy.ts";
import { privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";

export interface Wanted {
  /** false: `messages`, `members`, `read` and `watchers` come back empty. */
  state: boolean;
  page: Page;
  members: { limit: number; offset: number };
  /** The threads the reader takes part in; not for lists of channels. */
  threads?: boolean;
  /** Absent: watchers are not asked for. */
  watchers?: { limit: number; offset: number };
}

export const NEWEST = (limit: number): Page => ({ limit, offset: 0, anchor: undefined });
export const DEFAULT_WATCHERS = { limit: CHANNEL_WATCHERS_LIMIT[0], offset: 0 };
const READS = 100;

/** One state per standing, in order. All users of all of them are read together. */
export function channelStates(
  call: RouteCall,
  at: Looking,
  standings: Permissions[],
  wanted: Wanted,
): ChannelState[] {
  const { db, people, now } = at;
  const gathered = standings.map((s) => {
    const { cid } = s.channel;
    const sight: Visibility = sightOf(s);
    return {
      s,
      messages: wanted.state ? pageOf(db, { cid }, sight, wanted.page) : [],
      pins: wanted.state ? pinsOf(db, cid, sight, now) : [],
      members: wanted.state ? memberRows(db, cid, wanted.members.limit, wanted.members.offset) : [],
      reads: wanted.state ? readRows(call, s) : [],
      watching: call.emit.watching(cid),
    };
  });
  people.load(
    gathered.flatMap(({ s, members, reads, messages, watching }) => [
      s.channel.created_by,
      ...members.map((m) => m.user_id),
      ...reads.map((r) => r.user_id),
      ...messages.map((m) => m.user_id),
      ...(wanted.watchers ? watching.userIds.slice(0, wanted.watchers.limit) : []),
    ]),
  );
  // one pass over all pages: a page each would repeat the queries of quotes, threads and own reactions per channel
  const rows: MessageRow[] = gathered.flatMap(({ messages, pins }) => [...messages, ...pins]);
  const views = messageViews(at, rows);
  const drafts = draftsIn(
    db,
    people,
    at.viewer,
    standings.map(({ channel }) => channel.cid),
  );
  let next = 0;
  return gathered.map(({ s, messages, pins, members, reads, watching }): ChannelState => {
    const { channel, member } = s;
    const { limit, offset } = wanted.watchers ?? DEFAULT_WATCHERS;
    const state: ChannelState = {
      channel: channelFor(db, people, s, now),
      messages: views.slice(next, next + messages.length),
      pinned_messages: views.slice(next + messages.length, next + messages.length + pins.length),
      pending_messages: wanted.state ? pendingOf(call, at, s) : [],
      members: members.map((m: MemberRow) =>
        memberView(people, m, channel.created_by, seesShadowBan(s, m.user_id)),
      ),
      read: reads.map((row): Read => readView(people, row)),
      watchers:
        wanted.state && wanted.watchers
          ? watching.userIds.slice(offset, offset + limit).map((id) => people.get(id))
          : [],
      watcher_count: watching.count,
      threads: wanted.state && wanted.threads ? threadsIn(at, s) : [],
      active_live_locations: liveLocationsOf(db, channel.cid, sightOf(s), now),
      hidden: false,
    };
    state.hidden = state.channel.hidden === true;
    const push = s.userId === undefined ? undefined : channelPush(db, s.userId, channel.cid);
    if (push) state.push_preferences = push;
    next += messages.length + pins.length;
    const draft = drafts.get(channel.cid);
    if (draft) state.draft = draft;
    if (member) state.membership = membershipView(db, people, member, channel.created_by);
    if (member?.hide_before != null) state.hide_messages_before = timeFromMicros(member.hide_before);
    return state;
  });
}

/** At most 100, the caller's always there; who turned read receipts off is shown to itself and servers only (specification/users.md §12). */
function readRows(call: RouteCall, s: Permissions): ReadRow[] {
  const { cid } = s.channel;
  const rows = call.db.all<ReadRow & Pick<UserRow, "privacy">>(
    `SELECT r.*, u.privacy FROM reads r JOIN users u ON u.id = r.user_id WHERE r.cid = ? ORDER BY r.user_id LIMIT ?`,
    cid,
    READS,
  );
  const shown = rows.filter(
    (row) =>
      s.all ||
      row.user_id === s.userId ||
      row.privacy === "{}" ||
      privacyOf(row as unknown as UserRow).read_receipts.enabled,
  );
  if (s.userId !== undefined && s.member && !shown.some((row) => row.user_id === s.userId)) {
    const own = readRow(call.db, cid, s.userId);
    if (own) shown[Math.min(shown.length, READS - 1)] = own as (typeof shown)[number];
  }
  return shown;
}
