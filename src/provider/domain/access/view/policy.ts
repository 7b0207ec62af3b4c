/** Decides who may do what: role × channel type × action, denied by default (specification/admin.md §4). */
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Caller } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import { channelRow, memberRow, type ChannelRow, type MemberRow } from "../../channels/storage/rows.ts";
import { findUser } from "../../users/storage/rows.ts";
import { accessOf, type RoleGrants, type ScopeGrants } from "../storage/access.ts";
import { bans } from "../../moderation/storage/bans.ts";
import { sharesTeam, teamsOf } from "../storage/teams.ts";

/** What decides the rights of a caller in a channel. */
export interface Permissions {
  /** The caller is a server: permissions are not checked. */
  unrestricted: boolean;
  userId: string | undefined;
  role: string;
  /** The user's role in the channel's team. */
  teamRole?: string | undefined;
  /** The channel belongs to a team that is not the caller's: only any-team grants count. */
  otherTeam: boolean;
  /** The app has `disable_permissions_checks` on; what only servers may do is still refused. */
  checksDisabled: boolean;
  channel: ChannelRow;
  member: MemberRow | undefined;
  /** The channel ban of a caller who is not a member; that of a member is in the member row. */
  nonMemberBan?: { expires: number | null } | undefined;
  config: ChannelConfig;
  grants: ScopeGrants;
}

/**
 * The permissions of a caller in a channel. `knownMember` is the member row if the caller has it already, null to ignore a membership.
 * The type of a channel always exists: types in use cannot be deleted.
 */
export function permissionsOf(
  db: Database,
  caller: Pick<Caller, "kind" | "userId" | "role">,
  channel: ChannelRow,
  knownMember?: MemberRow | null,
): Permissions {
  const { userId, role } = caller;
  const member =
    knownMember === undefined && userId !== undefined
      ? memberRow(db, channel.cid, userId)
      : (knownMember ?? undefined);
  const rules = accessOf(db).rulesOf(channel.type, channel.overrides)!;
  const app = readApp(db);
  const unrestricted = caller.kind === "server";
  const teams = unrestricted ? undefined : teamsOf(db, userId);
  return {
    unrestricted,
    userId,
    role,
    teamRole: teams && channel.team !== null ? teams.roles[channel.team] : undefined,
    otherTeam: teams !== undefined && !sharesTeam(teams, channel.team),
    checksDisabled: !unrestricted && app.disable_permissions_checks,
    channel,
    member,
    ...(member || unrestricted || userId === undefined
      ? {}
      : { nonMemberBan: bans.find(db, { target_id: userId, cid: channel.cid, shadow: 0 }) }),
    ...rules,
    ...(app.shared_locations_enabled ? {} : { config: { ...rules.config, shared_locations: false } }),
  };
}

export const callerPermissions = (call: RouteCall, channel: ChannelRow): Permissions =>
  permissionsOf(call.db, call.caller, channel);

/** The permissions of a user who is not the caller, such as the recipient of an event. */
export function userPermissions(
  db: Database,
  userId: string,
  channel: ChannelRow,
  knownMember?: MemberRow | null,
): Permissions {
  const role = findUser(db, userId)?.role ?? "user";
  return permissionsOf(db, { kind: "user", userId, role }, channel, knownMember);
}

const isOwner = (permissions: Permissions): boolean =>
  permissions.userId !== undefined && permissions.channel.created_by === permissions.userId;

const isGranted = (
  granted: RoleGrants | undefined,
  otherTeam: boolean,
  permission: string,
  owner: boolean,
): boolean => {
  const names = otherTeam ? granted?.anyTeam : granted?.ownTeam;
  return names !== undefined && (names.has(permission) || (owner && names.has(`${permission}-owner`)));
};

/** Whether the caller has the permission. `owner`: the message, file … is the caller's own (default: the caller created the channel). */
export function can(
  permissions: Permissions,
  permission: string,
  owner: boolean = isOwner(permissions),
): boolean {
  if (permissions.unrestricted || permissions.checksDisabled) return true;
  for (const role of [permissions.role, permissions.teamRole, permissions.member?.channel_role])
    if (
      role !== undefined &&
      isGranted(permissions.grants.byRole.get(role), permissions.otherTeam, permission, owner)
    )
      return true;
  return false;
}

/**
 * Whether the caller has a permission of the scope `.app`, or one in a channel that does not exist yet. `team` is the team of that
 * channel; undefined skips the team check.
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
  const { byRole } = accessOf(db).grantsOf(type);
  const teamRole = teams && team != null ? teams.roles[team] : undefined;
  return [caller.role, teamRole].some(
    (role) => role !== undefined && isGranted(byRole.get(role), otherTeam, permission, owner),
  );
}

/** Whether the role of the caller holds a permission of the scope `.app` in its form without a team limit. */
export function canInEveryTeam(
  { db, caller }: Pick<RouteCall, "db" | "caller">,
  permission: string,
): boolean {
  if (caller.kind === "server" || readApp(db).disable_permissions_checks) return true;
  const { byRole } = accessOf(db).grantsOf(".app");
  return isGranted(byRole.get(caller.role), true, permission, false);
}

/** Throws code 17 without the permission; `what` completes "You are not allowed to …". `owner` as in `can`. */
export function requirePermission(
  permissions: Permissions,
  permission: string,
  what: string,
  owner?: boolean,
): void {
  if (!can(permissions, permission, owner))
    throw ApiProblem.notAllowed(`You are not allowed to ${what} in channel ${permissions.channel.cid}`);
}

/** Throws code 19 where the channel has the feature off; `what` is its name for people. */
export function requireFeature(permissions: Permissions, feature: keyof ChannelConfig, what: string): void {
  if (!permissions.config[feature])
    throw ApiProblem.featureOff(`Channel type ${permissions.channel.type} has no ${what}`);
}

/** Whether the caller is banned in the channel at `now` (whole microseconds); shadow bans do not count (specification/moderation.md §2). */
export function isBanned(permissions: Permissions, now: number): boolean {
  const ban =
    permissions.member?.banned === 1 ? { expires: permissions.member.ban_expires } : permissions.nonMemberBan;
  return ban !== undefined && (ban.expires === null || ban.expires > now);
}

/** Throws code 17 for a banned caller, who may only read. */
export function requireNotBanned(permissions: Permissions, now: number): void {
  if (isBanned(permissions, now))
    throw ApiProblem.notAllowed(`You are banned from channel ${permissions.channel.cid}`);
}

/** Whether the caller may write messages in the channel at `now` (whole microseconds). */
export const canWrite = (permissions: Permissions, now: number): boolean =>
  can(permissions, "create-message") &&
  (permissions.unrestricted || !permissions.channel.disabled) &&
  !isBanned(permissions, now);

/** Whether the reader sees the shadow ban of a user: readers who may ban do, except their own (specification/moderation.md §2.1). */
export const seesShadowBan = (permissions: Permissions, userId: string): boolean =>
  can(permissions, "ban-channel-member") && (permissions.unrestricted || userId !== permissions.userId);

/** Throws code 17 for a disabled channel, unless the caller is a server. */
export function requireEnabled(permissions: Permissions): void {
  if (permissions.channel.disabled && !permissions.unrestricted)
    throw ApiProblem.notAllowed(`Channel ${permissions.channel.cid} is disabled`);
}

/** Throws code 17 if the caller may not read the channel, or if it is disabled. */
export function requireReadChannel(permissions: Permissions): void {
  if (!can(permissions, "read-channel"))
    throw ApiProblem.notAllowed(
      `You are not allowed to read channel ${permissions.channel.cid}: join it or be invited first`,
    );
  requireEnabled(permissions);
}

/** The permissions in a channel that the caller may read. Throws code 16 if it does not exist, 17 if the caller may not read it. */
export function requireReadable(call: RouteCall, cid: string): Permissions {
  const permissions = callerPermissions(call, channelRow(call.db, cid));
  requireReadChannel(permissions);
  return permissions;
}

/** Throws unless the caller may upload to the channel: code 16 or 17, or 19 where uploads are off. */
export function requireUpload(call: RouteCall, cid: string): void {
  const permissions = requireReadable(call, cid);
  requirePermission(permissions, "upload-attachment", "upload files");
  requireNotBanned(permissions, call.now());
  requireFeature(permissions, "uploads", "uploads");
}

/** Whether the caller may delete other users' files in the channel (UP-6). Throws 16 if it does not exist, 17 if it is disabled. */
export function canDeleteUpload(call: RouteCall, cid: string): boolean {
  const permissions = callerPermissions(call, channelRow(call.db, cid));
  requireEnabled(permissions);
  return can(permissions, "read-channel") && can(permissions, "delete-attachment", false);
}
