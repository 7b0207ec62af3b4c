/** Who may do what: role × channel type × action, deny by default (admin.md §4), and the capabilities drawn from it. */
import { CAPABILITIES, type Capability } from "../../../wire/capabilities.ts";
import type { ChannelConfig } from "../../../wire/channel.ts";
import { Refusal, type Call } from "../../handler.ts";
import { configOf } from "./channel-types.ts";
import { channelRow, memberRow, type ChannelRow, type MemberRow } from "../channels/rows.ts";

const names = (text: string): string[] => text.trim().split(/\s+/);
const without = (list: string[], text: string): string[] => {
  const gone = new Set(names(text));
  return list.filter((name) => !gone.has(name));
};

/** What members do. */
const M =
  names(`add-links create-message create-attachment create-mention create-reaction flag-message mute-channel
  pin-message read-channel read-channel-members remove-own-channel-membership run-message-action send-custom-event
  upload-attachment`);
/** What moderators and admins do. */
const A =
  names(`add-links ban-channel-member ban-user create-channel create-message create-attachment create-mention
  create-reaction create-system-message delete-attachment delete-channel delete-message delete-reaction flag-message
  mute-channel pin-message read-channel read-channel-members read-message-flags recreate-channel
  remove-own-channel-membership run-message-action send-custom-event skip-channel-cooldown skip-message-moderation
  truncate-channel unblock-message update-channel update-channel-cooldown update-channel-frozen update-channel-members
  update-message upload-attachment`);
/** What people do with what is theirs: the channel they made, the message they wrote. */
const O = [
  ...M.map((name) => `${name}-owner`),
  ...names(`create-channel delete-attachment-owner delete-channel-owner delete-message-owner delete-reaction-owner
    recreate-channel-owner truncate-channel-owner update-channel-members-owner update-channel-owner update-message-owner`),
];
const CM = without(A, "ban-user create-channel delete-channel recreate-channel truncate-channel");
const MOD = without(A, "delete-channel recreate-channel truncate-channel");
const OWNED = names("delete-channel-owner recreate-channel-owner truncate-channel-owner");
const NEW = names("send-poll cast-vote query-votes share-location update-thread");
const JOIN = ["add-own-channel-membership"];
const RESTRICTED = names("create-restricted-visibility-message read-restricted-visibility-message");
const OWN_WORDS = names(
  "delete-attachment-owner delete-message-owner delete-reaction-owner update-message-owner",
);
const OWN_CHANNEL = "delete-channel-owner recreate-channel-owner truncate-channel-owner update-channel-owner";

type Grants = Record<string, string[]>;

const CLOSED: Grants = {
  admin: [...A, ...NEW, ...JOIN, ...RESTRICTED],
  moderator: [...MOD, ...OWNED, ...NEW, ...JOIN],
  channel_moderator: [...CM, ...NEW],
  channel_member: [...M, ...NEW],
  user: O,
};

/** Scope `.app` has a grant list of its own: what needs no channel. */
const APP: Grants = Object.fromEntries(
  ["admin", "moderator", "user"].map((role) => [
    role,
    names("search-user update-user-owner create-poll update-poll-owner close-poll-owner"),
  ]),
);

const GRANTS: Record<string, Grants> = {
  messaging: CLOSED,
  team: CLOSED,
  livestream: {
    admin: CLOSED.admin!,
    moderator: [
      ...without(MOD, "remove-own-channel-membership update-channel update-channel-members"),
      ...NEW,
      ...JOIN,
    ],
    channel_moderator: [
      ...without(
        without(CM, M.filter((name) => name !== "pin-message").join(" ")),
        "update-channel update-channel-members",
      ),
      ...NEW,
    ],
    channel_member: [...NEW, "remove-own-channel-membership"],
    user: [
      ...without(M, "pin-message remove-own-channel-membership"),
      "create-channel",
      "pin-message-owner",
      ...OWN_WORDS,
      ...NEW,
      ...JOIN,
    ],
    guest: names("read-channel read-channel-members flag-message mute-channel"),
    anonymous: names("read-channel read-channel-members"),
  },
  gaming: {
    admin: CLOSED.admin!,
    moderator: [...without(MOD, "create-channel update-channel update-channel-members"), ...NEW, ...JOIN],
    channel_moderator: [...without(CM, "update-channel update-channel-members"), ...NEW],
    channel_member: [...without(M, "pin-message"), ...NEW],
    user: without(O, `create-channel ${OWN_CHANNEL} update-channel-members-owner pin-message-owner`),
  },
  commerce: {
    admin: CLOSED.admin!,
    moderator: [...MOD, ...NEW, ...JOIN],
    channel_moderator: [...CM, ...NEW],
    channel_member: [...without(M, "pin-message"), ...NEW],
    user: without(O, `create-channel ${OWN_CHANNEL}`),
    guest: names(`add-links create-channel upload-attachment delete-attachment-owner delete-message-owner
      delete-reaction-owner flag-message-owner mute-channel-owner pin-message-owner read-channel-owner
      read-channel-members-owner update-channel-members-owner update-message-owner`),
  },
};

const TABLE = new Map<string, ReadonlySet<string>>();
for (const [type, grants] of Object.entries({ ...GRANTS, ".app": APP }))
  for (const [role, list] of Object.entries(grants)) TABLE.set(`${type} ${role}`, new Set(list));

const granted = (type: string, role: string | undefined, permission: string): boolean =>
  role !== undefined && (TABLE.get(`${type} ${role}`)?.has(permission) ?? false);

/** A caller before one channel: everything a decision needs. */
export interface Standing {
  /** A server token: no permission check. */
  all: boolean;
  userId: string | undefined;
  role: string;
  channel: ChannelRow;
  member: MemberRow | undefined;
  config: ChannelConfig;
}

export function standingOf(call: Call, channel: ChannelRow): Standing {
  const userId = call.caller.userId;
  return {
    all: call.caller.kind === "server",
    userId,
    role: call.caller.role,
    channel,
    member: userId === undefined ? undefined : memberRow(call.db, channel.cid, userId),
    config: configOf(channel.type, channel.overrides)!,
  };
}

const isOwner = (s: Standing): boolean => s.userId !== undefined && s.channel.created_by === s.userId;

/** May the caller do this in the channel; `owner` says whose thing it is (default: the channel's creator). */
export function can(s: Standing, permission: string, owner: boolean = isOwner(s)): boolean {
  if (s.all) return true;
  for (const role of [s.role, s.member?.channel_role]) {
    if (granted(s.channel.type, role, permission)) return true;
    if (owner && granted(s.channel.type, role, `${permission}-owner`)) return true;
  }
  return false;
}

/** A grant that needs no channel, or a channel that is not there yet. */
export function canInType(call: Call, type: string, permission: string, owner = false): boolean {
  if (call.caller.kind === "server") return true;
  const { role } = call.caller;
  return granted(type, role, permission) || (owner && granted(type, role, `${permission}-owner`));
}

/** Channel types whose channels this role reads without being a member or the creator. */
export function openTypes(role: string): string[] {
  return Object.keys(GRANTS).filter((type) => granted(type, role, "read-channel"));
}

export const notAllowed = (what: string): Refusal => new Refusal(17, what);

export function allow(s: Standing, permission: string, what: string, owner?: boolean): void {
  if (!can(s, permission, owner))
    throw notAllowed(`You are not allowed to ${what} in channel ${s.channel.cid}`);
}

export function needFeature(s: Standing, feature: keyof ChannelConfig, what: string): void {
  if (!s.config[feature]) throw new Refusal(19, `Channel type ${s.channel.type} has no ${what}`);
}

export const isBanned = (s: Standing, now: number): boolean =>
  s.member?.banned === 1 && (s.member.ban_expires === null || s.member.ban_expires > now);

/** 403 code 17 for who may not read the channel (members-only types), and for a disabled one. */
export function mayReadChannel(s: Standing): void {
  if (!can(s, "read-channel"))
    throw notAllowed(`You are not allowed to read channel ${s.channel.cid}: join it or be invited first`);
  if (s.channel.disabled && !s.all) throw notAllowed(`Channel ${s.channel.cid} is disabled`);
}

/** The channel for a caller who may read it: 404 code 16 when there is none, 403 code 17 when it is closed to the caller. */
export function mayRead(call: Call, cid: string): Standing {
  const standing = standingOf(call, channelRow(call.db, cid));
  mayReadChannel(standing);
  return standing;
}

/** Refuses an upload into a channel the caller may not read or upload to (16, 17), or whose uploads are off (19). */
export function mayUpload(call: Call, cid: string): void {
  const standing = mayRead(call, cid);
  allow(standing, "upload-attachment", "upload files");
  if (isBanned(standing, call.now())) throw notAllowed(`You are banned from channel ${cid}`);
  needFeature(standing, "uploads", "uploads");
}

/** `own_capabilities` in the order of the wire's list (admin.md, table of own_capabilities). */
export function capabilitiesOf(s: Standing, now: number): Capability[] {
  const { config: c, channel } = s;
  const p = (permission: string, owner?: boolean): boolean => can(s, permission, owner);
  const send = p("create-message") && (s.all || !channel.frozen) && !isBanned(s, now);
  const skips = p("skip-channel-cooldown");
  const has: Record<Capability, boolean> = {
    "ban-channel-members": p("ban-channel-member"),
    "cast-poll-vote": p("cast-vote") && c.polls,
    "connect-events": c.connect_events,
    "create-attachment": p("create-attachment"),
    "create-mention": p("create-mention"),
    "delete-any-message": p("delete-message", false),
    "delete-channel": p("delete-channel"),
    "delete-own-message": p("delete-message", true),
    "delivery-events": c.delivery_events,
    "flag-message": p("flag-message"),
    "freeze-channel": p("update-channel-frozen"),
    "join-channel": !s.member && p("add-own-channel-membership"),
    "leave-channel": s.member !== undefined && p("remove-own-channel-membership"),
    "mute-channel": p("mute-channel") && c.mutes,
    "pin-message": p("pin-message"),
    "query-poll-votes": p("query-votes") && c.polls,
    "quote-message": send && c.quotes,
    "read-events": c.read_events,
    "search-messages": p("read-channel") && c.search,
    "send-custom-events": p("send-custom-event") && c.custom_events,
    "send-links": p("add-links"),
    "send-message": send,
    "send-poll": p("send-poll") && c.polls,
    "send-reaction": p("create-reaction") && c.reactions && (s.all || !channel.frozen),
    "send-reply": send && c.replies,
    "send-restricted-visibility-message": p("create-restricted-visibility-message"),
    "send-typing-events": c.typing_events && p("read-channel"),
    "set-channel-cooldown": p("update-channel-cooldown"),
    "share-location": p("share-location") && c.shared_locations,
    "skip-slow-mode": skips,
    "slow-mode": channel.cooldown > 0 && !skips,
    "typing-events": c.typing_events,
    "update-any-message": p("update-message", false),
    "update-channel": p("update-channel"),
    "update-channel-members": p("update-channel-members"),
    "update-own-message": p("update-message", true),
    "update-thread": p("update-thread"),
    "upload-file": p("upload-attachment") && c.uploads,
  };
  return CAPABILITIES.filter((name) => has[name]);
}
