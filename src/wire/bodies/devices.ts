/** Bodies of devices, push preferences and unread counts of several users. */
import { USERS_PER_CALL } from "../constants.ts";
import { choice, flag, id, list, map, need, object, text, time, withProblem } from "../entities/fields.ts";
import { CHAT_LEVELS } from "../entities/user.ts";
import { acting } from "./frame.ts";
import { PUSH_PROVIDER_TYPES } from "../entities/push-provider.ts";

const level = choice("all", "none", "default");

export const device = {
  id: need(id()),
  push_provider: need(choice(...PUSH_PROVIDER_TYPES)),
  push_provider_name: id(),
  hardware_id: id(),
  voip_token: flag(),
};

/** Preferences of a user, or with `channel_cid` of one channel. */
export const preference = {
  user_id: id(),
  channel_cid: id(),
  chat_level: choice(...CHAT_LEVELS),
  call_level: level,
  feeds_level: level,
  disabled_until: time(),
  remove_disable: flag(),
  chat_preferences: map(text()),
};

export const deviceBodies = {
  createDevice: { ...acting, ...device },
  unreadBatch: {
    ...acting,
    user_ids: need(withProblem(list(text(), USERS_PER_CALL), "must name at least one user")),
  },
  setPushPreferences: {
    ...acting,
    preferences: need(withProblem(list(object(preference), USERS_PER_CALL), "must hold at least one entry")),
  },
};
