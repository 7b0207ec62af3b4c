/** The capabilities of a caller in a channel: `own_capabilities` (specification/admin.md §4). */
import { CAPABILITIES, type Capability } from "../../../../wire/entities/capabilities.ts";
import { MODERATORS } from "./moderators.ts";
import { can, isBanned, type Permissions } from "./policy.ts";

/** Roles that may notify everybody (`@channel`, `@here`). */
const NOTIFIERS = new Set([...MODERATORS, "channel_moderator"]);

/** In the order of `CAPABILITIES`; `now` in whole microseconds. */
export function capabilitiesOf(permissions: Permissions, now: number): Capability[] {
  const { config, channel } = permissions;
  const allows = (permission: string, owner?: boolean): boolean => can(permissions, permission, owner);
  const maySend =
    allows("create-message") && (permissions.unrestricted || !channel.frozen) && !isBanned(permissions, now);
  const mayNotify =
    permissions.unrestricted ||
    [permissions.role, permissions.teamRole, permissions.member?.channel_role].some((role) =>
      NOTIFIERS.has(role ?? ""),
    );
  const skipsCooldown = allows("skip-channel-cooldown");
  const has: Record<Capability, boolean> = {
    "ban-channel-members": allows("ban-channel-member"),
    "cast-poll-vote": allows("cast-vote") && config.polls,
    "connect-events": config.connect_events,
    "create-attachment": allows("create-attachment"),
    "create-mention": allows("create-mention"),
    "delete-any-message": allows("delete-message", false),
    "delete-channel": allows("delete-channel"),
    "delete-own-message": allows("delete-message", true),
    "delivery-events": config.delivery_events,
    "flag-message": allows("flag-message"),
    "freeze-channel": allows("update-channel-frozen"),
    "join-channel": !permissions.member && allows("add-own-channel-membership"),
    "leave-channel": permissions.member !== undefined && allows("remove-own-channel-membership"),
    "mute-channel": allows("mute-channel") && config.mutes,
    "notify-channel": mayNotify,
    "notify-group": mayNotify,
    "notify-here": mayNotify,
    "notify-role": mayNotify,
    "pin-message": allows("pin-message"),
    "query-poll-votes": allows("query-votes") && config.polls,
    "quote-message": maySend && config.quotes,
    "read-events": config.read_events,
    "search-messages": allows("read-channel") && config.search,
    "send-custom-events": allows("send-custom-event") && config.custom_events,
    "send-links": allows("add-links"),
    "send-message": maySend,
    "send-poll": allows("send-poll") && config.polls,
    "send-reaction":
      allows("create-reaction") && config.reactions && (permissions.unrestricted || !channel.frozen),
    "send-reply": maySend && config.replies,
    "send-restricted-visibility-message": allows("create-restricted-visibility-message"),
    "send-typing-events": config.typing_events && allows("read-channel"),
    "set-channel-cooldown": allows("update-channel-cooldown"),
    "share-location": allows("share-location") && config.shared_locations,
    "skip-slow-mode": skipsCooldown,
    "slow-mode": channel.cooldown > 0 && !skipsCooldown,
    "typing-events": config.typing_events,
    "update-any-message": allows("update-message", false),
    "update-channel": allows("update-channel"),
    "update-channel-members": allows("update-channel-members"),
    "update-own-message": allows("update-message", true),
    "update-thread": allows("update-thread"),
    "upload-file": allows("upload-attachment") && config.uploads,
  };
  return CAPABILITIES.filter((name) => has[name]);
}
