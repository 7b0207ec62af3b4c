/** What a caller may do in one channel, by name: `own_capabilities` (specification/admin.md §4). */
import { CAPABILITIES, type Capability } from "../../../../wire/capabilities.ts";
import { can, isBanned, type Permissions } from "./policy.ts";

/** Who may call everybody together (`@channel`, `@here`). */
const NOTIFIERS = new Set(["admin", "moderator", "channel_moderator", "global_admin", "global_moderator"]);

/** `own_capabilities` in the order of the wire's list (specification/admin.md §4). */
export function capabilitiesOf(permissions: Permissions, now: number): Capability[] {
  const { config: c, channel } = permissions;
  const p = (permission: string, owner?: boolean): boolean => can(permissions, permission, owner);
  const send = p("create-message") && (permissions.all || !channel.frozen) && !isBanned(permissions, now);
  const notifies =
    permissions.all ||
    [permissions.role, permissions.teamRole, permissions.member?.channel_role].some((role) =>
      NOTIFIERS.has(role ?? ""),
    );
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
    "join-channel": !permissions.member && p("add-own-channel-membership"),
    "leave-channel": permissions.member !== undefined && p("remove-own-channel-membership"),
    "mute-channel": p("mute-channel") && c.mutes,
    "notify-channel": notifies,
    "notify-group": notifies,
    "notify-here": notifies,
    "notify-role": notifies,
    "pin-message": p("pin-message"),
    "query-poll-votes": p("query-votes") && c.polls,
    "quote-message": send && c.quotes,
    "read-events": c.read_events,
    "search-messages": p("read-channel") && c.search,
    "send-custom-events": p("send-custom-event") && c.custom_events,
    "send-links": p("add-links"),
    "send-message": send,
    "send-poll": p("send-poll") && c.polls,
    "send-reaction": p("create-reaction") && c.reactions && (permissions.all || !channel.frozen),
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
