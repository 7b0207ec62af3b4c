/** Bodies of users: writing, deleting, deactivating, blocking, guests and queries. */
import {
  CUSTOM_DATA_LIMIT,
  MAX_OFFSET,
  QUERY_USERS_LIMIT,
  TEAMS_PER_USER,
  USERS_PER_CALL,
} from "../constants.ts";
import {
  choice,
  custom,
  filter,
  flag,
  id,
  ignored,
  limit,
  list,
  map,
  need,
  object,
  offset,
  sentBack,
  orNull,
  sort,
  text,
  time,
  withProblem,
  type Field,
} from "../entities/fields.ts";
import { OwnUser, type User } from "../entities/user.ts";
import { acting, changes } from "./frame.ts";

const onOff = withProblem(object({ enabled: need(flag()) }), "must be an object with enabled true or false");

/** User fields that only servers may write. */
export const ranks = {
  role: id(64),
  teams: list(text(), TEAMS_PER_USER),
  teams_role: map(id(64)),
  revoke_tokens_issued_before: time(),
};

/** A user as input; keys managed by the provider are ignored. */
export const userInput = sentBack(
  {
    id: need(id()),
    name: text(255),
    image: text(2048),
    language: text(2048),
    status: text(2048),
    invisible: flag(),
    privacy_settings: object({ typing_indicators: onOff, read_receipts: onOff, delivery_receipts: onOff }),
    ...ranks,
    "*": custom(CUSTOM_DATA_LIMIT),
  },
  OwnUser,
);

const { id: _id, ...settable } = userInput;
const settableUser = changes(settable);
/** Built-in keys that a partial update may name. */
export const SETTABLE_OF_USERS: ReadonlySet<string> = new Set(Object.keys(settableUser.set.shape!));
/** Keys of a user that a client-side call may not name (specification/auth.md §10). */
export const RANKS_OF_USERS: ReadonlySet<string> = new Set([
  "role",
  "teams",
  "teams_role",
  "revoke_tokens_issued_before",
]);
const ranksToo = ignored("id", ...RANKS_OF_USERS);
/** The profile fields of a user; null removes a text. */
export const profile = {
  ...userInput,
  name: orNull(userInput.name),
  image: orNull(userInput.image),
  language: orNull(userInput.language),
  status: orNull(userInput.status),
  ...ranksToo,
};

const asUser = object(userInput) as Field<Partial<User> & { id: string } & Record<string, unknown>, unknown>;
/** The ranks of a guest are ignored. */
const asGuest = object({
  ...userInput,
  ...ignored("role", "teams", "teams_role", "revoke_tokens_issued_before"),
}) as typeof asUser;
const userIds = need(withProblem(list(text(), USERS_PER_CALL), "must name at least one user"));
const deactivation = { ...acting, mark_messages_deleted: flag(), created_by_id: id() };
const reactivation = { ...acting, restore_messages: flag(), restore_channels: flag(), created_by_id: id() };
const way = choice("soft", "pruning", "hard");

export const userBodies = {
  queryUsers: {
    ...acting,
    filter_conditions: filter(),
    sort: sort(),
    limit: limit(QUERY_USERS_LIMIT),
    offset: offset(MAX_OFFSET),
    presence: flag(),
    include_deactivated_users: flag(),
    id_gt: id(),
    id_gte: id(),
    id_lt: id(),
    id_lte: id(),
  },
  upsertUsers: { ...acting, users: need(map(asUser, USERS_PER_CALL)) },
  updateUsersPartial: {
    ...acting,
    users: need(list(object({ id: need(id()), ...settableUser }), USERS_PER_CALL)),
  },
  deleteUsers: {
    ...acting,
    user_ids: userIds,
    user: way,
    messages: way,
    conversations: choice("soft", "hard"),
    new_channel_owner_id: id(),
    files: flag(),
  },
  restoreUsers: { ...acting, user_ids: userIds },
  deactivateUser: deactivation,
  deactivateUsers: { ...deactivation, user_ids: userIds, mark_channels_deleted: flag() },
  reactivateUser: { ...reactivation, name: text(255) },
  reactivateUsers: { ...reactivation, user_ids: userIds },
  sendUserEvent: {
    ...acting,
    event: need(object({ type: need(text(255)), "*": custom(CUSTOM_DATA_LIMIT) })),
  },
  createGuest: { user: need(asGuest) },
  blockUser: { ...acting, blocked_user_id: need(id()) },
  unblockUser: { ...acting, blocked_user_id: need(id()) },
};
