/** Roles and permissions (specification/admin.md §4). */
import { any, choice, flag, list, map, need, shape, text, time, type Infer } from "./fields.ts";

export const Role = shape(() => ({
  name: need(text()),
  custom: need(flag()),
  /** Scopes with grants for it: `.app` and channel types. */
  scopes: need(list(text())),
  /** The same list, under the name that other clients read. */
  scoped: need(list(text())),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface Role extends Infer<typeof Role> {}

export const Permission = shape(() => ({
  id: need(text()),
  name: need(text()),
  description: need(text()),
  /** The action in its long form, such as `CreateMessage`. */
  action: need(text()),
  /** The user has to own the resource. */
  owner: need(flag()),
  /** The user has to be in the same team. */
  same_team: need(flag()),
  custom: need(flag()),
  level: need(choice("app", "channel")),
  condition: map(any()),
  tags: need(list(text())),
  owner_resource: text(),
}));
export interface Permission extends Infer<typeof Permission> {}
