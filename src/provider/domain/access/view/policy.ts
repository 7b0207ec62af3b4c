/** Decides who may do what: role × channel type × action, denied by default (specification/admin.md §4). */
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Caller } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import { channelRow, memberRow, type ChannelRow, type MemberRow } from "../../channels/storage/rows.ts";
import { findUser } from "../../users/storage/rows.ts";
import { accessOf, type RoleGrants, type ScopeGrants } from "../storage/access.ts";
import { banOutside } from "../../moderation/storage/ban-rows.ts";
import { sharesTeam, teamsOf } from "../storage/teams.ts";

/** A caller before one channel: everything a decision needs. */
export interface Permissions {
  /** A server token: no permission check. */
  all: boolean;
  userId: string | undefined;
  role: string;
  /** The user's role in the channel's team. */
  teamRole?: string | undefined;
  /** Multi-tenancy separates the caller from the channel: only grants over any team count. */
  otherTeam: boolean;
  /** The app has switched permission checks off (`disable_permissions_checks`): what a server alone may do is still the server's. */
  unchecked: boolean;
  channel: ChannelRow;
  member: MemberRow | undefined;
  /** The ban of somebody who is no member; a member's stands in its row. */
  outside?: { expires: number | null } | undefined;
  config: ChannelConfig;
  grants: ScopeGrants;
}

type Asking = Pick<Caller, "kind" | "userId" | "role">;

/**
 * How a caller stands before a channel. `given` is the membership when it is known already, null for "as if there were
 * none". A channel's type cannot go away while the channel is there: types in use are not deleted.
 */
export function permissionsOf(
  db: Database,
  caller: Asking,
  channel: ChannelRow,
  given?: MemberRow | null,
): Permissions {
  const { userId, role } = caller;
  const member =
    given === undefined && userId !== undefined ? memberRow(db, channel.cid, userId) : (given ?? undefined);
  const rules = accessOf(db).rulesOf(channel.type, channel.overrides)!;
  const app = readApp(db);
  const all = caller.kind === "server";
  const teams = all ? undefined : teamsOf(db, userId);
  return {
    all,
    userId,
    role,
    teamRole: teams && channel.team !== null ? teams.roles[channel.team] : undefined,
    otherTeam: teams !== undefined && !sharesTeam(teams, channel.team),
    unchecked: !all && app.disable_permissions_checks,
    channel,
    member,
    ...(member || all || userId === undefined ? {} : { outside: banOutside(db, userId, channel.cid) }),
    ...rules,
    ...(app.shared_locations_enabled ? {} : { config: { ...rules.config, shared_locations: false } }),
  };
}

export const callerPermissions = (call: RouteCall, channel: ChannelRow): Permissions =>
  permissionsOf(call.db, call.caller, channel);

/** How a user who did not call stands: whom an event or a list may reach. */
export function userPermissions(
  db: Database,
  userId: string,
  channel: ChannelRow,
  given?: MemberRow | null,
): Permissions {
  const role = findUser(db, userId)?.role ?? "user";
  return permissionsOf(db, { kind: "user", userId, role }, channel, given);
}

const isOwner = (permissions: Permissions): boolean =>
  permissions.userId !== undefined && permissions.channel.created_by === permissions.userId;

const holds = (
  granted: RoleGrants | undefined,
  otherTeam: boolean,
  permission: string,
  owner: boolean,
): boolean => {
  const names = otherTeam ? granted?.anyTeam : granted?.ownTeam;
  return names !== undefined && (names.has(permission) || (owner && names.has(`${permission}-owner`)));
};

/** May the caller do this in the channel; `owner` says whose thing it is (default: the channel's creator). */
export function can(
  permissions: Permissions,
  permission: string,
  owner: boolean = isOwner(permissions),
): boolean {
  if (permissions.all || permissions.unchecked) return true;
  for (const role of [permissions.role, permissions.teamRole, permissions.member?.channel_role])
    if (
      role !== undefined &&
      holds(permissions.grants.by.get(role), permissions.otherTeam, permission, owner)
    )
      return true;
  return false;
}

/**
 * A grant that needs no channel (`.app`), or a channel that is not there yet; `team` is the team it would belong to
 * (undefined: no team is concerned).
 */
export function canInType(
  call: Pick<RouteCall, "db" | "caller">,
  type: string,
  permission: string,
  owner = false,
  team?: string | null,
): boolean {
  const { db, caller } = call;
  if (caller.kind === "server" || readApp(db).disable_permissions_checks) return true;
  const teams = team === undefined ? undefined : teamsOf(db, caller.userId);
  const otherTeam = teams !== undefined && !sharesTeam(teams, team!);
  const { by } = accessOf(db).grantsOf(type);
  const teamRole = teams && team != null ? teams.roles[team] : undefined;
  return [caller.role, teamRole].some(
    (role) => role !== undefined && holds(by.get(role), otherTeam, permission, owner),
  );
}

/** Refuses with code 17 what nobody has granted; `what` ends "You are not allowed to …". `owner` as in `can`. */
export function requirePermission(
  permissions: Permissions,
  permission: string,
  what: string,
  owner?: boolean,
): void {
  if (!can(permissions, permission, owner))
    throw ApiProblem.notAllowed(`You are not allowed to ${what} in channel ${permissions.channel.cid}`);
}

/** Refuses with code 19 where the channel has the switch off; `what` is its plain name. */
export function requireFeature(permissions: Permissions, feature: keyof ChannelConfig, what: string): void {
  if (!permissions.config[feature])
    throw ApiProblem.featureOff(`Channel type ${permissions.channel.type} has no ${what}`);
}

/** Banned in the channel at this moment (whole microseconds); a shadow ban is none (specification/moderation.md §2). */
export function isBanned(permissions: Permissions, now: number): boolean {
  const ban =
    permissions.member?.banned === 1 ? { expires: permissions.member.ban_expires } : permissions.outside;
  return ban !== undefined && (ban.expires === null || ban.expires > now);
}

/** Refuses whoever is banned in the channel at this moment (17): the banned read, and do nothing else. */
export function requireNotBanned(permissions: Permissions, now: number): void {
  if (isBanned(permissions, now))
    throw ApiProblem.notAllowed(`You are banned from channel ${permissions.channel.cid}`);
}

/** May the caller write messages here at this moment (whole microseconds). */
export const canWrite = (permissions: Permissions, now: number): boolean =>
  can(permissions, "create-message") &&
  (permissions.all || !permissions.channel.disabled) &&
  !isBanned(permissions, now);

/** May the reader know whether this member is shadow-banned: who may ban, and never about themselves (specification/moderation.md §2.1). */
export const seesShadowBan = (permissions: Permissions, userId: string): boolean =>
  can(permissions, "ban-channel-member") && (permissions.all || userId !== permissions.userId);

/** Refuses a disabled channel (17) to everybody but servers. */
export function requireEnabled(permissions: Permissions): void {
  if (permissions.channel.disabled && !permissions.all)
    throw ApiProblem.notAllowed(`Channel ${permissions.channel.cid} is disabled`);
}

/** 403 code 17 for who may not read the channel (members-only types), and for a disabled one. */
export function requireReadChannel(permissions: Permissions): void {
  if (!can(permissions, "read-channel"))
    throw ApiProblem.notAllowed(
      `You are not allowed to read channel ${permissions.channel.cid}: join it or be invited first`,
    );
  requireEnabled(permissions);
}

/** The channel for a caller who may read it: 404 code 16 when there is none, 403 code 17 when it is closed to the caller. */
export function requireReadable(call: RouteCall, cid: string): Permissions {
  const permissions = callerPermissions(call, channelRow(call.db, cid));
  requireReadChannel(permissions);
  return permissions;
}

/** Refuses an upload into a channel the caller may not read or upload to (16, 17), or whose uploads are off (19). */
export function requireUpload(call: RouteCall, cid: string): void {
  const permissions = requireReadable(call, cid);
  requirePermission(permissions, "upload-attachment", "upload files");
  requireNotBanned(permissions, call.now());
  requireFeature(permissions, "uploads", "uploads");
}

/** May the caller delete files of others in the channel (UP-6). Refuses where there is none (16) and in a disabled one (17). */
export function canDeleteUpload(call: RouteCall, cid: string): boolean {
  const permissions = callerPermissions(call, channelRow(call.db, cid));
  requireEnabled(permissions);
  return can(permissions, "read-channel") && can(permissions, "delete-attachment", false);
}
