/** Roles and permissions as they travel (specification/admin.md §4). */

export interface Role {
  name: string;
  custom: boolean;
  /** Scopes with grants for it: `.app` and channel types. */
  scopes: string[];
  /** The same list under the name another reader looks for. */
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
  /** Needs to own the resource. */
  owner: boolean;
  /** Needs to share the team. */
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
