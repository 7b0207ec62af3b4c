/** Roles and permissions (specification/admin.md §4). */

export interface Role {
  name: string;
  custom: boolean;
  /** Scopes with grants for it: `.app` and channel types. */
  scopes: string[];
  /** The same list, under the name that other clients read. */
  scoped: string[];
  created_at: string;
  updated_at: string;
}

export interface Permission {
  id: string;
  name: string;
  description: string;
  /** The action in its long form, such as `CreateMessage`. */
  action: string;
  /** The user has to own the resource. */
  owner: boolean;
  /** The user has to be in the same team. */
  same_team: boolean;
  custom: boolean;
  level: "app" | "channel";
  condition?: Record<string, unknown>;
  tags: string[];
  owner_resource?: string;
}

export type PermissionInput = Partial<Omit<Permission, "custom" | "level">> & {
  id: string;
  name: string;
  action: string;
};
