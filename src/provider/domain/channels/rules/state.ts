/** Builds the state of channels for a caller: messages, members, reads, watchers and pins. */
import type { ChannelState, Read } from "../../../../wire/entities/channel.ts";
import type { Draft } from "../../../../wire/entities/draft.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { CHANNEL_WATCHERS_LIMIT } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { channelFor, membershipView, memberView, readView } from "../view/channels.ts";
import { readRow, type MemberRow, type ReadRow } from "../storage/rows.ts";
import { channelDraftsOf } from "../../drafts/storage/drafts.ts";
import { findChannelPush } from "../../devices/storage/devices.ts";
import { liveLocationsOf } from "../../locations/view/locations.ts";
import { threadsIn } from "../../threads/view/channel-threads.ts";
import { pendingOf } from "../../messages/view/pending.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import type { MessageRow, Visibility } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import { pageOf, pinsOf, type MessagePaging } from "../../messages/storage/paging.ts";
import { seesShadowBan, type Permissions } from "../../access/view/policy.ts";
import { privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { memberRows } from "../storage/members.ts";
import { readsOfChannel } from "../../reads/storage/reads.ts";

export interface StateOptions {
  /** When false, `messages`, `members`, `read` and `watchers` are empty. */
  state: boolean;
  page: MessagePaging;
  members: { limit: number; offset: number };
  /** Includes the reader's threads; not used for lists of channels. */
  threads?: boolean;
  /** Absent: no watchers are returned. */
  watchers?: { limit: number; offset: number };
}

export const newestPage = (limit: number): MessagePaging => ({ limit, offset: 0, anchor: undefined });
export const DEFAULT_WATCHERS = { limit: CHANNEL_WATCHERS_LIMIT[0], offset: 0 };
const MAX_READS = 100;

/** The rows of a channel, loaded before the users and messages of all channels are loaded together. */
interface LoadedRows {
  permissions: Permissions;
  messages: MessageRow[];
  pins: MessageRow[];
  members: MemberRow[];
  reads: ReadRow[];
  watching: { userIds: string[]; count: number };
}

function loadRows(
  call: RouteCall,
  { db, now }: ViewContext,
  permissions: Permissions,
  options: StateOptions,
): LoadedRows {
  const { cid } = permissions.channel;
  const watching = call.emit.watcherInfo(cid);
  const visibility: Visibility = visibilityOf(permissions);
  const pins = pinsOf(db, cid, visibility, now);
  if (!options.state) return { permissions, messages: [], pins, members: [], reads: [], watching };
  return {
    permissions,
    messages: pageOf(db, { cid }, visibility, options.page),
    pins,
    members: memberRows(db, cid, options.members.limit, options.members.offset),
    reads: readRows(call, permissions),
    watching,
  };
}

/** The states of the channels of `all`, in the same order. Users and messages of all channels are loaded together. */
export function channelStates(
  call: RouteCall,
  context: ViewContext,
  all: Permissions[],
  options: StateOptions,
): ChannelState[] {
  const { db, people } = context;
  const loaded = all.map((permissions) => loadRows(call, context, permissions, options));
  people.load(
    loaded.flatMap(({ permissions, members, reads, messages, watching }) => [
      permissions.channel.created_by,
      ...members.map((m) => m.user_id),
      ...reads.map((r) => r.user_id),
      ...messages.map((m) => m.user_id),
      ...(options.watchers ? watching.userIds.slice(0, options.watchers.limit) : []),
    ]),
  );
  // One call for all channels, because each call queries quotes, threads and own reactions.
  const views = messageViews(
    context,
    loaded.flatMap(({ messages, pins }) => [...messages, ...pins]),
  );
  const cids = all.map(({ channel }) => channel.cid);
  const drafts = channelDraftsOf(db, people, context.viewer, cids);
  let next = 0;
  return loaded.map((rows): ChannelState => {
    const channelViews = views.slice(next, (next += rows.messages.length + rows.pins.length));
    return stateOf(
      call,
      context,
      rows,
      { views: channelViews, draft: drafts.get(rows.permissions.channel.cid) },
      options,
    );
  });
}

/** `views` has the messages first, then the pinned messages. */
function stateOf(
  call: RouteCall,
  context: ViewContext,
  { permissions, messages, members, reads, watching }: LoadedRows,
  { views, draft }: { views: Message[]; draft: Draft | undefined },
  options: StateOptions,
): ChannelState {
  const { db, people, now } = context;
  const { channel, member } = permissions;
  const { limit, offset } = options.watchers ?? DEFAULT_WATCHERS;
  const watchers = options.state && options.watchers ? watching.userIds.slice(offset, offset + limit) : [];
  const state: ChannelState = {
    channel: channelFor(db, people, permissions, now),
    messages: views.slice(0, messages.length),
    pinned_messages: views.slice(messages.length),
    pending_messages: options.state ? pendingOf(call, context, permissions) : [],
    members: members.map((m: MemberRow) =>
      memberView(people, m, channel.created_by, seesShadowBan(permissions, m.user_id)),
    ),
    read: reads.map((row): Read => readView(people, row)),
    watchers: watchers.map((id) => people.get(id)),
    watcher_count: watching.count,
    threads: options.state && options.threads ? threadsIn(context, permissions) : [],
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

/** At most 100, always with the caller's. Users who turned read receipts off are shown only to themselves and servers (specification/users.md §12). */
function readRows(call: RouteCall, permissions: Permissions): ReadRow[] {
  const { cid } = permissions.channel;
  const rows = readsOfChannel(call.db, cid, MAX_READS);
  const shown = rows.filter(
    (row) =>
      permissions.unrestricted ||
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
    if (own) shown[Math.min(shown.length, MAX_READS - 1)] = own as (typeof shown)[number];
  }
  return shown;
}
