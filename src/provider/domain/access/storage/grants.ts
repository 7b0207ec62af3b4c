/** The built-in grants: role × channel type × permission, as they are until the app changes them (specification/admin.md §4). */

export type Grants = Readonly<Record<string, readonly string[]>>;

/** The scope of what needs no channel. */
export const APP_SCOPE = ".app";
export const ANY_TEAM = "-any-team";

const names = (text: string): string[] => text.trim().split(/\s+/);
const without = (list: readonly string[], text: string): string[] => {
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

/** The roles over all teams hold every permission of their model in the form that no team limits. */
function withGlobal(grants: Grants): Grants {
  const everywhere = (role: string): string[] => (grants[role] ?? []).map((name) => name + ANY_TEAM);
  return { ...grants, global_admin: everywhere("admin"), global_moderator: everywhere("moderator") };
}

const CLOSED: Grants = {
  admin: [...A, ...NEW, ...JOIN, ...RESTRICTED],
  moderator: [...MOD, ...OWNED, ...NEW, ...JOIN],
  channel_moderator: [...CM, ...NEW],
  channel_member: [...M, ...NEW],
  user: O,
};

const LIVESTREAM: Grants = {
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
  // Whoever may join may leave, or joining would be for ever.
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
};

const GAMING: Grants = {
  admin: CLOSED.admin!,
  moderator: [...without(MOD, "create-channel update-channel update-channel-members"), ...NEW, ...JOIN],
  channel_moderator: [...without(CM, "update-channel update-channel-members"), ...NEW],
  channel_member: [...without(M, "pin-message"), ...NEW],
  user: without(O, `create-channel ${OWN_CHANNEL} update-channel-members-owner pin-message-owner`),
};

const COMMERCE: Grants = {
  admin: CLOSED.admin!,
  moderator: [...MOD, ...NEW, ...JOIN],
  channel_moderator: [...CM, ...NEW],
  channel_member: [...without(M, "pin-message"), ...NEW],
  user: without(O, `create-channel ${OWN_CHANNEL}`),
  guest: names(`add-links create-channel upload-attachment delete-attachment-owner delete-message-owner
      delete-reaction-owner flag-message-owner mute-channel-owner pin-message-owner read-channel-owner
      read-channel-members-owner update-channel-members-owner update-message-owner`),
};

const PEOPLE = names("flag-user mute-user search-user update-user-owner");
const REPORTS = names("read-flag-reports update-flag-report");
const POLLS = names("create-poll query-polls update-poll-owner close-poll-owner delete-poll-owner");

const APP: Grants = {
  admin: [...PEOPLE, ...REPORTS, ...POLLS],
  moderator: [...PEOPLE, ...REPORTS, ...POLLS],
  user: [...PEOPLE, ...POLLS],
  guest: PEOPLE,
};

const BUILT_IN: Readonly<Record<string, Grants>> = {
  messaging: withGlobal(CLOSED),
  team: withGlobal(CLOSED),
  livestream: withGlobal(LIVESTREAM),
  gaming: withGlobal(GAMING),
  commerce: withGlobal(COMMERCE),
  [APP_SCOPE]: withGlobal(APP),
};

/** The grants a scope begins with; types of the app begin with those of `messaging`. */
export function builtInGrants(scope: string): Grants {
  return (Object.hasOwn(BUILT_IN, scope) ? BUILT_IN[scope] : BUILT_IN.messaging)!;
}

/** Granted to nobody at first: it lets its holder write into a frozen channel. */
const UNGRANTED = ["use-frozen-channel"];
export const OWNER = "-owner";

/** One permission that can be granted: what it lets do, whose thing, in whose team. */
export interface BuiltInPermission {
  id: string;
  /** The name without its limits: `update-message` of `update-message-owner-any-team`. */
  base: string;
  owner: boolean;
  anyTeam: boolean;
  level: "app" | "channel";
}

function read(id: string, level: "app" | "channel"): BuiltInPermission {
  const anyTeam = id.endsWith(ANY_TEAM);
  const narrow = anyTeam ? id.slice(0, -ANY_TEAM.length) : id;
  const owner = narrow.endsWith(OWNER);
  return { id, base: owner ? narrow.slice(0, -OWNER.length) : narrow, owner, anyTeam, level };
}

function allPermissions(): Map<string, BuiltInPermission> {
  const found = new Map<string, BuiltInPermission>();
  const add = (name: string, level: "app" | "channel"): void => {
    const { base, owner } = read(name, level);
    // Each permission exists for all teams as well, and each one of a channel for its owner alone.
    for (const id of owner || level === "channel" ? [base, base + OWNER] : [base])
      for (const form of [id, id + ANY_TEAM]) found.set(form, read(form, level));
  };
  for (const [scope, grants] of Object.entries(BUILT_IN))
    for (const name of Object.values(grants).flat()) add(name, scope === APP_SCOPE ? "app" : "channel");
  for (const name of UNGRANTED) add(name, "channel");
  return new Map([...found].toSorted(([x], [y]) => (x < y ? -1 : 1)));
}

/** Every permission that is built in, by its id, in the order of their names; derived from the table above. */
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
/** Roles a member can hold in a channel; not interchangeable with those of users. */
export const CHANNEL_ROLES = ["channel_member", "channel_moderator"];
