/** Writing the row of a channel, and who may change what of it: both updates go this way (specification/channels.md §7). */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { requirePermission, canInType, type Permissions } from "../../access/view/policy.ts";
import type { ChannelRow } from "../storage/rows.ts";
import { storeChannel } from "../storage/change.ts";

/** Which keys of a channel a call is about; `rest` = any other. */
export type Touched = Record<"frozen" | "cooldown" | "disabled" | "rest", boolean>;

/** Rights by what is touched: freezing, slow mode and everything else are granted apart; disabling is for servers. */
export function allowData(permissions: Permissions, touched: Touched): void {
  if (touched.disabled && !permissions.all)
    throw ApiProblem.notAllowed("Only a server may disable a channel");
  if (touched.frozen)
    requirePermission(permissions, "update-channel-frozen", "freeze or unfreeze messages", false);
  if (touched.cooldown) requirePermission(permissions, "update-channel-cooldown", "change slow mode", false);
  if (touched.rest) requirePermission(permissions, "update-channel", "change the data");
}

/** A channel goes to a team only by somebody who may change channels there (specification/admin.md §11). */
export function allowTeam(call: RouteCall, before: ChannelRow, team: string | null): void {
  if (team !== before.team && !canInType(call, before.type, "update-channel", true, team))
    throw ApiProblem.notAllowed(`You are not allowed to give channel ${before.cid} to that team`);
}

/** Writes what differs; false when nothing does. `channel` is the new row then. */
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
