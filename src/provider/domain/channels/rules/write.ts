/** Checks rights and writes a channel's row, for full and partial updates (specification/channels.md §7). */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { requirePermission, canInType, type Permissions } from "../../access/view/policy.ts";
import type { ChannelRow } from "../storage/rows.ts";
import { storeChannel } from "../storage/change.ts";

/** Which keys of a channel a call changes; `rest` is any other key. */
export type ChangedKeys = Record<"frozen" | "cooldown" | "disabled" | "rest", boolean>;

/** Throws without the rights for the changed keys: freezing, slow mode and the rest have their own; only servers may disable. */
export function requireDataRights(permissions: Permissions, changed: ChangedKeys): void {
  if (changed.disabled && !permissions.unrestricted)
    throw ApiProblem.notAllowed("Only a server may disable a channel");
  if (changed.frozen)
    requirePermission(permissions, "update-channel-frozen", "freeze or unfreeze messages", false);
  if (changed.cooldown) requirePermission(permissions, "update-channel-cooldown", "change slow mode", false);
  if (changed.rest) requirePermission(permissions, "update-channel", "change the data");
}

/** Throws unless the caller may change channels of the team that the channel moves to (specification/admin.md §11). */
export function requireTeamRight(call: RouteCall, before: ChannelRow, team: string | null): void {
  if (team !== before.team && !canInType(call, before.type, "update-channel", true, team))
    throw ApiProblem.notAllowed(`You are not allowed to give channel ${before.cid} to that team`);
}

/** Stores changes and updates `channel` in place; false without changes. */
export function writeChannel(
  call: RouteCall,
  channel: ChannelRow,
  after: Partial<ChannelRow>,
  now: number,
): boolean {
  const next = { ...channel, ...after };
  const keys = [
    "data",
    "frozen",
    "disabled",
    "cooldown",
    "team",
    "filter_tags",
    "overrides",
    "auto_translation_enabled",
    "auto_translation_language",
  ] as const;
  if (keys.every((key) => next[key] === channel[key])) return false;
  Object.assign(channel, next, { updated_at: now });
  storeChannel(call.db, channel);
  return true;
}
