/** Users with private keys, as they see themselves and as servers see them (specification/users.md §2). */
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import type { PushPreferences, User } from "../../../../wire/entities/user.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import { MODERATORS } from "../../access/view/moderators.ts";
import { devicesOf } from "../../devices/view/devices.ts";
import { channelMuteView, userMuteView } from "./mute-view.ts";
import { People, storedPrivacy, publicUser } from "./users.ts";
import type { UserRow } from "../storage/rows.ts";
import { lastingOf, userMutes } from "../storage/mutes.ts";
import { blockedBy } from "../storage/blocks.ts";
import { channelMutes } from "../../channels/storage/mutes.ts";

/** `server`: servers, and moderators and admins of the app; `both`: a moderator or admin looking at itself. */
type Viewer = "all" | "self" | "server" | "both";

interface UserViewContext {
  db: Database;
  emit: Pick<Emit, "online">;
  /** Whole microseconds. */
  now: number;
}

/** In which role the caller looks at a user. */
export function viewerOf({ caller }: Pick<RouteCall, "caller">, userId: string): Viewer {
  if (caller.kind === "server") return "server";
  const self = caller.kind === "user" && caller.userId === userId;
  if (caller.kind === "user" && MODERATORS.has(caller.role)) return self ? "both" : "server";
  return self ? "self" : "all";
}

function grouped<T extends { user_id: string }, V>(rows: T[], view: (row: T) => V): Map<string, V[]> {
  const found = new Map<string, V[]>();
  for (const row of rows) found.set(row.user_id, [...(found.get(row.user_id) ?? []), view(row)]);
  return found;
}

const DEFAULT_PUSH: PushPreferences = { chat_level: "all" };

/** The user's push preferences; `all` by default (specification/users.md §10). */
export const pushOf = (row: Pick<UserRow, "push">): PushPreferences => ({
  ...DEFAULT_PUSH,
  ...(JSON.parse(row.push) as PushPreferences),
});

/** Each user with the keys that its viewer may see, in order; shared data is read in one query for all. */
export function fullUsers(
  context: UserViewContext,
  rows: readonly UserRow[],
  viewer: (row: UserRow) => Viewer,
): User[] {
  const { db, now } = context;
  const viewed = rows.map((row) => ({ row, viewerKind: viewer(row) }));
  const ids = viewed.filter(({ viewerKind }) => viewerKind !== "all").map(({ row }) => row.id);
  const people = new People(db, context.emit);
  for (const { row } of viewed) people.add(row);
  const mutes = ids.length
    ? userMutes.list(db, lastingOf(ids, now), { by: ["created_at", "target_id"] })
    : [];
  people.load(mutes.map(({ target_id }) => target_id));
  const muted = grouped(mutes, (row) => userMuteView(people, row));
  const channels = grouped(
    ids.length ? channelMutes.list(db, lastingOf(ids, now), { by: ["created_at", "cid"] }) : [],
    (row) => channelMuteView(people, row),
  );
  const devices = grouped(ids.length ? devicesOf(db, ids) : [], (device) => device);
  const blocked = ids.length ? blockedBy(db, ids) : new Map<string, string[]>();
  return viewed.map(({ row, viewerKind }) => {
    const online = context.emit.online(row.id);
    if (viewerKind === "all") return { ...publicUser(row, online), blocked_user_ids: [] };
    const push = pushOf(row);
    const privacy = storedPrivacy(row);
    const user: User = {
      ...publicUser(row, online),
      // Users see themselves as online even when they are invisible to others.
      ...(viewerKind === "server" ? {} : { online }),
      invisible: row.invisible === 1,
      ...(privacy ? { privacy_settings: privacy } : {}),
      blocked_user_ids: blocked.get(row.id) ?? [],
      mutes: muted.get(row.id) ?? [],
      channel_mutes: channels.get(row.id) ?? [],
      devices: devices.get(row.id) ?? [],
      push_notifications: {
        disabled:
          push.chat_level === "none" ||
          (push.disabled_until !== undefined && Date.parse(push.disabled_until) * 1000 > now),
        ...(push.disabled_until === undefined ? {} : { disabled_until: push.disabled_until }),
      },
    };
    if (viewerKind === "self") return user;
    user.shadow_banned = row.shadow_banned === 1;
    user.bypass_moderation = row.bypass_moderation === 1;
    if (row.ban_expires !== null) user.ban_expires = timeFromMicros(row.ban_expires);
    const revoked = maybeTime(row.revoked_before);
    if (revoked !== undefined) user.revoke_tokens_issued_before = revoked;
    return user;
  });
}

export const fullUser = (context: UserViewContext, row: UserRow, viewer: Viewer): User =>
  fullUsers(context, [row], () => viewer)[0]!;
