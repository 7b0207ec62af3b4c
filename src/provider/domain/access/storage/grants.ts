/** The built-in grants: role × channel type × permission, until the app changes them (specification/admin.md §4). */

/** Permission ids by role. */
export type Grants = Readonly<Record<string, readonly string[]>>;

/** The scope of permissions that need no channel. */
export const APP_SCOPE = ".app";
export const ANY_TEAM_SUFFIX = "-any-team";

const names = (text: string): string[] => text.trim().split(/\s+/);
const without = (list: readonly string[], text: string): string[] => {
  const removed = new Set(names(text));
  return list.filter((name) => !removed.has(name));
};

const MEMBER =
  names(`add-links create-message create-attachment create-mention create-reaction flag-message mute-channel
  pin-message read-channel read-channel-members remove-own-channel-membership run-message-action send-custom-event
  upload-attachment`);
const ADMIN =
  names(`add-links ban-channel-member ban-user create-channel create-message create-attachment create-mention
  create-reaction create-system-message delete-attachment delete-channel delete-message delete-reaction flag-message
  mute-channel pin-message read-channel read-channel-members read-message-flags recreate-channel
  remove-own-channel-membership run-message-action send-custom-event skip-channel-cooldown skip-message-moderation
  truncate-channel unblock-message update-channel update-channel-cooldown update-channel-frozen update-channel-members
  update-message upload-attachment`);
/** Rights over the user's own channels, messages, reactions and files. */
const OWN = [
  ...MEMBER.map((name) => `${name}-owner`),
  ...names(`create-channel delete-attachment-owner delete-channel-owner delete-message-owner delete-reaction-owner
    recreate-channel-owner truncate-channel-owner update-channel-members-owner update-channel-owner update-message-owner`),
];
const CHANNEL_MODERATOR = without(
  ADMIN,
  "ban-user create-channel delete-channel recreate-channel truncate-channel",
);
const MODERATOR = without(ADMIN, "delete-channel recreate-channel truncate-channel");
const OWN_CHANNEL_REMOVAL = names("delete-channel-owner recreate-channel-owner truncate-channel-owner");
const FEATURES = names("send-poll cast-vote query-votes share-location update-thread");
const JOIN = ["add-own-channel-membership"];
const RESTRICTED = names("create-restricted-visibility-message read-restricted-visibility-message");
const OWN_MESSAGE = names(
  "delete-attachment-owner delete-message-owner delete-reaction-owner update-message-owner",
);
const OWN_CHANNEL = "delete-channel-owner recreate-channel-owner truncate-channel-owner update-channel-owner";

/** Adds `global_admin` and `global_moderator`: the permissions of `admin` and `moderator`, in any team. */
function withGlobal(grants: Grants): Grants {
  const inAnyTeam = (role: string): string[] => (grants[role] ?? []).map((name) => name + ANY_TEAM_SUFFIX);
  return { ...grants, global_admin: inAnyTeam("admin"), global_moderator: inAnyTeam("moderator") };
}

const MEMBERS_ONLY: Grants = {
  admin: [...ADMIN, ...FEATURES, ...JOIN, ...RESTRICTED],
  moderator: [...MODERATOR, ...OWN_CHANNEL_REMOVAL, ...FEATURES, ...JOIN],
  channel_moderator: [...CHANNEL_MODERATOR, ...FEATURES],
  channel_member: [...MEMBER, ...FEATURES],
  user: OWN,
};

const LIVESTREAM: Grants = {
  admin: MEMBERS_ONLY.admin!,
  moderator: [
    ...without(MODERATOR, "remove-own-channel-membership update-channel update-channel-members"),
    ...FEATURES,
    ...JOIN,
  ],
  channel_moderator: [
    ...without(
      without(CHANNEL_MODERATOR, MEMBER.filter((name) => name !== "pin-message").join(" ")),
      "update-channel update-channel-members",
    ),
    ...FEATURES,
  ],
  // Users may join, so members must be able to leave.
  channel_member: [...FEATURES, "remove-own-channel-membership"],
  user: [
    ...without(MEMBER, "pin-message remove-own-channel-membership"),
    "create-channel",
    "pin-message-owner",
    ...OWN_MESSAGE,
    ...FEATURES,
    ...JOIN,
  ],
  guest: names("read-channel read-channel-members flag-message mute-channel"),
  anonymous: names("read-channel read-channel-members"),
};

const GAMING: Grants = {
  admin: MEMBERS_ONLY.admin!,
  moderator: [
    ...without(MODERATOR, "create-channel update-channel update-channel-members"),
    ...FEATURES,
    ...JOIN,
  ],
  channel_moderator: [...without(CHANNEL_MODERATOR, "update-channel update-channel-members"), ...FEATURES],
  channel_member: [...without(MEMBER, "pin-message"), ...FEATURES],
  user: without(OWN, `create-channel ${OWN_CHANNEL} update-channel-members-owner pin-message-owner`),
};

const COMMERCE: Grants = {
  admin: MEMBERS_ONLY.admin!,
  moderator: [...MODERATOR, ...FEATURES, ...JOIN],
  channel_moderator: [...CHANNEL_MODERATOR, ...FEATURES],
  channel_member: [...without(MEMBER, "pin-message"), ...FEATURES],
  user: without(OWN, `create-channel ${OWN_CHANNEL}`),
  guest: names(`add-links create-channel upload-attachment delete-attachment-owner delete-message-owner
      delete-reaction-owner flag-message-owner mute-channel-owner pin-message-owner read-channel-owner
      read-channel-members-owner update-channel-members-owner update-message-owner`),
};

const USER_ACTIONS = names("flag-user mute-user search-user update-user-owner");
const FLAG_REPORTS = names("read-flag-reports update-flag-report");
const POLL_ACTIONS = names("create-poll query-polls update-poll-owner close-poll-owner delete-poll-owner");

const APP_GRANTS: Grants = {
  admin: [...USER_ACTIONS, ...FLAG_REPORTS, ...POLL_ACTIONS],
  moderator: [...USER_ACTIONS, ...FLAG_REPORTS, ...POLL_ACTIONS],
  user: [...USER_ACTIONS, ...POLL_ACTIONS],
  guest: USER_ACTIONS,
};

/** In `.app` a moderator of all teams also has this right without a team, as the service documents. */
function appGrants(): Grants {
  const grants = withGlobal(APP_GRANTS);
  return { ...grants, global_moderator: [...grants.global_moderator!, "update-user-owner"] };
}

const BUILT_IN_GRANTS: Readonly<Record<string, Grants>> = {
  messaging: withGlobal(MEMBERS_ONLY),
  team: withGlobal(MEMBERS_ONLY),
  livestream: withGlobal(LIVESTREAM),
  gaming: withGlobal(GAMING),
  commerce: withGlobal(COMMERCE),
  [APP_SCOPE]: appGrants(),
};

/** The grants a scope starts with; channel types of the app start with those of `messaging`. */
export function builtInGrants(scope: string): Grants {
  return (Object.hasOwn(BUILT_IN_GRANTS, scope) ? BUILT_IN_GRANTS[scope] : BUILT_IN_GRANTS.messaging)!;
}

/** Granted to no role by default: writing into a frozen channel, a distinct channel without its creator, and the roles of others. */
const UNGRANTED = [
  ["use-frozen-channel", "channel"],
  ["create-distinct-channel-for-others", "channel"],
  ["update-user-role", "app"],
] as const;
export const OWNER_SUFFIX = "-owner";

export interface BuiltInPermission {
  id: string;
  /** The name without its limits: `update-message` of `update-message-owner-any-team`. */
  base: string;
  /** Applies only to the caller's own channels, messages …. */
  owner: boolean;
  /** Applies in other teams, too. */
  anyTeam: boolean;
  level: "app" | "channel";
}

function parsePermission(id: string, level: "app" | "channel"): BuiltInPermission {
  const anyTeam = id.endsWith(ANY_TEAM_SUFFIX);
  const withoutTeam = anyTeam ? id.slice(0, -ANY_TEAM_SUFFIX.length) : id;
  const owner = withoutTeam.endsWith(OWNER_SUFFIX);
  return {
    id,
    base: owner ? withoutTeam.slice(0, -OWNER_SUFFIX.length) : withoutTeam,
    owner,
    anyTeam,
    level,
  };
}

function allPermissions(): Map<string, BuiltInPermission> {
  const found = new Map<string, BuiltInPermission>();
  const add = (name: string, level: "app" | "channel"): void => {
    const { base, owner } = parsePermission(name, level);
    // Every permission also exists in an any-team form, and every channel permission in an owner form.
    for (const id of owner || level === "channel" ? [base, base + OWNER_SUFFIX] : [base])
      for (const form of [id, id + ANY_TEAM_SUFFIX]) found.set(form, parsePermission(form, level));
  };
  for (const [scope, grants] of Object.entries(BUILT_IN_GRANTS))
    for (const name of Object.values(grants).flat()) add(name, scope === APP_SCOPE ? "app" : "channel");
  for (const [name, level] of UNGRANTED) add(name, level);
  return new Map([...found].toSorted(([x], [y]) => (x < y ? -1 : 1)));
}

/** Every built-in permission by id, sorted by id. */
export const BUILT_IN_PERMISSIONS: ReadonlyMap<string, BuiltInPermission> = allPermissions();

/** Roles a user can hold. */
export const APP_ROLES = [
  "user",
  "guest",
  "anonymous",
  "admin",
  "moderator",
  "global_admin",
  "global_moderator",
];
/** Roles a member can hold in a channel; users cannot hold them. */
export const CHANNEL_ROLES = ["channel_member", "channel_moderator"];
