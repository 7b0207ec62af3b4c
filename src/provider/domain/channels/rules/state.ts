/** The state of channels for one caller: messages, members, reads, watchers and pins, as channel.query and channels.query answer. */
import type { ChannelState, Read } from "../../../../wire/entities/channel.ts";
import type { Draft } from "../../../../wire/entities/draft.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { CHANNEL_WATCHERS_LIMIT } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { channelFor, membershipView, memberView, readView } from "../view/channels.ts";
import { readRow, type MemberRow, type ReadRow } from "../storage/rows.ts";
import { channelDraftsOf } from "../../drafts/storage/rows.ts";
import { findChannelPush } from "../../devices/storage/channel-push.ts";
import { liveLocationsOf } from "../../locations/view/locations.ts";
import { threadsIn } from "../../threads/view/in-channel.ts";
import { pendingOf } from "../../messages/view/pending.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import type { MessageRow, Visibility } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/reading.ts";
import { pageOf, pinsOf, type MessagePaging } from "../../messages/storage/paging.ts";
import { seesShadowBan, type Permissions } from "../../access/view/policy.ts";
import { privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { memberRows } from "../storage/members.ts";
import { readsOfChannel } from "../../reads/storage/reads.ts";

export interface Wanted {
  /** When false, `messages`, `members`, `read` and `watchers` come back empty. */
  state: boolean;
  page: MessagePaging;
  members: { limit: number; offset: number };
  /** The threads the reader takes part in; not for lists of channels. */
  threads?: boolean;
  /** Absent: watchers are not asked for. */
  watchers?: { limit: number; offset: number };
}

export const NEWEST = (limit: number): MessagePaging => ({ limit, offset: 0, anchor: undefined });
export const DEFAULT_WATCHERS = { limit: CHANNEL_WATCHERS_LIMIT[0], offset: 0 };
const READS = 100;

/** What is read of one channel before the users and messages of all of them are read together. */
interface Gathered {
  permissions: Permissions;
  messages: MessageRow[];
  pins: MessageRow[];
  members: MemberRow[];
  reads: ReadRow[];
  watching: { userIds: string[]; count: number };
}

function gather(
  call: RouteCall,
  { db, now }: ViewContext,
  permissions: Permissions,
  wanted: Wanted,
): Gathered {
  const { cid } = permissions.channel;
  const watching = call.emit.watching(cid);
  if (!wanted.state) return { permissions, messages: [], pins: [], members: [], reads: [], watching };
  const visibility: Visibility = visibilityOf(permissions);
  return {
    permissions,
    messages: pageOf(db, { cid }, visibility, wanted.page),
    pins: pinsOf(db, cid, visibility, now),
    members: memberRows(db, cid, wanted.members.limit, wanted.members.offset),
    reads: readRows(call, permissions),
    watching,
  };
}

/** One state for the permissions in each channel, in order. All users of all of them are read together. */
export function channelStates(
  call: RouteCall,
  at: ViewContext,
  all: Permissions[],
  wanted: Wanted,
): ChannelState[] {
  const { db, people } = at;
  const gathered = all.map((permissions) => gather(call, at, permissions, wanted));
  people.load(
    gathered.flatMap(({ permissions, members, reads, messages, watching }) => [
      permissions.channel.created_by,
      ...members.map((m) => m.user_id),
      ...reads.map((r) => r.user_id),
      ...messages.map((m) => m.user_id),
      ...(wanted.watchers ? watching.userIds.slice(0, wanted.watchers.limit) : []),
    ]),
  );
  // All pages go through one pass: a pass for each would repeat the queries of quotes, threads and own reactions for every channel.
  const views = messageViews(
    at,
    gathered.flatMap(({ messages, pins }) => [...messages, ...pins]),
  );
  const cids = all.map(({ channel }) => channel.cid);
  const drafts = channelDraftsOf(db, people, at.viewer, cids);
  let next = 0;
  return gathered.map((one): ChannelState => {
    const own = views.slice(next, (next += one.messages.length + one.pins.length));
    return stateOf(call, at, one, { views: own, draft: drafts.get(one.permissions.channel.cid) }, wanted);
  });
}

/** `views`: of the messages, then of the pins. */
function stateOf(
  call: RouteCall,
  at: ViewContext,
  { permissions, messages, members, reads, watching }: Gathered,
  { views, draft }: { views: Message[]; draft: Draft | undefined },
  wanted: Wanted,
): ChannelState {
  const { db, people, now } = at;
  const { channel, member } = permissions;
  const { limit, offset } = wanted.watchers ?? DEFAULT_WATCHERS;
  const watchers = wanted.state && wanted.watchers ? watching.userIds.slice(offset, offset + limit) : [];
  const state: ChannelState = {
    channel: channelFor(db, people, permissions, now),
    messages: views.slice(0, messages.length),
    pinned_messages: views.slice(messages.length),
    pending_messages: wanted.state ? pendingOf(call, at, permissions) : [],
    members: members.map((m: MemberRow) =>
      memberView(people, m, channel.created_by, seesShadowBan(permissions, m.user_id)),
    ),
    read: reads.map((row): Read => readView(people, row)),
    watchers: watchers.map((id) => people.get(id)),
    watcher_count: watching.count,
    threads: wanted.state && wanted.threads ? threadsIn(at, permissions) : [],
    active_live_locations: liveLocationsOf(db, channel.cid, visibilityOf(permissions), now),
    hidden: false,
  };
  state.hidden = state.channel.hidden === true;
  const push =
    permissions.userId === undefined ? undefined : findChannelPush(db, permissions.userId, channel.cid);
  if (push) state.push_preferences = push;
  if (draft) state.draft = draft;
  if (member) state.membership = membershipView(db, people, member, channel.created_by);
  if (member?.hide_before != null) state.hide_messages_before = timeFromMicros(member.hide_before);
  return state;
}

/** At most 100, the caller's always there; who turned read receipts off is shown to itself and servers only (specification/users.md §12). */
function readRows(call: RouteCall, permissions: Permissions): ReadRow[] {
  const { cid } = permissions.channel;
  const rows = readsOfChannel(call.db, cid, READS);
  const shown = rows.filter(
    (row) =>
      permissions.all ||
      row.user_id === permissions.userId ||
      row.privacy === "{}" ||
      privacyOf(row as unknown as UserRow).read_receipts.enabled,
  );
  if (
    permissions.userId !== undefined &&
    permissions.member &&
    !shown.some((row) => row.user_id === permissions.userId)
  ) {
    const own = readRow(call.db, cid, permissions.userId);
    if (own) shown[Math.min(shown.length, READS - 1)] = own as (typeof shown)[number];
  }
  return shown;
}
