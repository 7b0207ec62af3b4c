/** The capabilities of a caller in a channel: `own_capabilities` (specification/admin.md §4). */
import { CAPABILITIES, type Capability } from "../../../../wire/entities/capabilities.ts";
import { MODERATORS } from "./moderators.ts";
import { can, isBanned, type Permissions } from "./policy.ts";

/** Roles that may notify everybody (`@channel`, `@here`). */
const NOTIFIERS = new Set([...MODERATORS, "channel_moderator"]);

/** In the order of `CAPABILITIES`; `now` in whole microseconds. */
export function capabilitiesOf(permissions: Permissions, now: number): Capability[] {
  const { config, channel } = permissions;
  const may = (permission: string, owner?: boolean): boolean => can(permissions, permission, owner);
  const maySend =
    may("create-message") && (permissions.all || !channel.frozen) && !isBanned(permissions, now);
  const mayNotify =
    permissions.all ||
    [permissions.role, permissions.teamRole, permissions.member?.channel_role].some((role) =>
      NOTIFIERS.has(role ?? ""),
    );
  const skipsCooldown = may("skip-channel-cooldown");
  const has: Record<Capability, boolean> = {
    "ban-channel-members": may("ban-channel-member"),
    "cast-poll-vote": may("cast-vote") && config.polls,
    "connect-events": config.connect_events,
    "create-attachment": may("create-attachment"),
    "create-mention": may("create-mention"),
    "delete-any-message": may("delete-message", false),
    "delete-channel": may("delete-channel"),
    "delete-own-message": may("delete-message", true),
    "delivery-events": config.delivery_events,
    "flag-message": may("flag-message"),
    "freeze-channel": may("update-channel-frozen"),
    "join-channel": !permissions.member && may("add-own-channel-membership"),
    "leave-channel": permissions.member !== undefined && may("remove-own-channel-membership"),
    "mute-channel": may("mute-channel") && config.mutes,
    "notify-channel": mayNotify,
    "notify-group": mayNotify,
    "notify-here": mayNotify,
    "notify-role": mayNotify,
    "pin-message": may("pin-message"),
    "query-poll-votes": may("query-votes") && config.polls,
    "quote-message": maySend && config.quotes,
    "read-events": config.read_events,
    "search-messages": may("read-channel") && config.search,
    "send-custom-events": may("send-custom-event") && config.custom_events,
    "send-links": may("add-links"),
    "send-message": maySend,
    "send-poll": may("send-poll") && config.polls,
    "send-reaction": may("create-reaction") && config.reactions && (permissions.all || !channel.frozen),
    "send-reply": maySend && config.replies,
    "send-restricted-visibility-message": may("create-restricted-visibility-message"),
    "send-typing-events": config.typing_events && may("read-channel"),
    "set-channel-cooldown": may("update-channel-cooldown"),
    "share-location": may("share-location") && config.shared_locations,
    "skip-slow-mode": skipsCooldown,
    "slow-mode": channel.cooldown > 0 && !skipsCooldown,
    "typing-events": config.typing_events,
    "update-any-message": may("update-message", false),
    "update-channel": may("update-channel"),
    "update-channel-members": may("update-channel-members"),
    "update-own-message": may("update-message", true),
    "update-thread": may("update-thread"),
    "upload-file": may("upload-attachment") && config.uploads,
  };
  return CAPABILITIES.filter((name) => has[name]);
}
