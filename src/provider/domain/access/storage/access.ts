/** Permissions, roles, commands and channel type settings in force: the built-in ones with the app's changes, cached until one changes. */
import type { ChannelConfig, CommandInfo } from "../../../../wire/entities/channel.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { cachedByStamp } from "../../../store/cached-by-stamp.ts";
import {
  ACCESS_STAMP,
  customCommands,
  customRoles,
  storedGrants,
  storedTypes,
} from "../../admin/storage/schema.ts";
import { BUILT_IN_TYPES, type TypeSettings } from "./channel-types.ts";
import { BUILT_IN_COMMANDS } from "../../../../wire/built-in-commands.ts";
import { expandCommands } from "./commands.ts";
import {
  ANY_TEAM_SUFFIX,
  APP_ROLES,
  APP_SCOPE,
  builtInGrants,
  CHANNEL_ROLES,
  OWNER_SUFFIX,
  type Grants,
} from "./grants.ts";

/** The permissions of a role, without the any-team suffix. */
export interface RoleGrants {
  /** In channels of the caller's teams, and everywhere while multi-tenancy is off. */
  readonly ownTeam: ReadonlySet<string>;
  readonly anyTeam: ReadonlySet<string>;
}

/** The grants of a scope. */
export interface ScopeGrants {
  /** The ids as they were granted. */
  readonly list: Grants;
  readonly byRole: ReadonlyMap<string, RoleGrants>;
}

interface ChannelRules {
  readonly config: ChannelConfig;
  readonly grants: ScopeGrants;
}

interface Access {
  /** Settings by type name, built-in types first; commands are names. */
  readonly types: ReadonlyMap<string, TypeSettings>;
  /** Built-in commands, then those of the app sorted by name. */
  readonly commands: readonly CommandInfo[];
  readonly customRoles: readonly { name: string; created_at: string; updated_at: string }[];
  /** Roles that users can hold, and roles that members can hold; custom roles are in both. */
  readonly appRoles: ReadonlySet<string>;
  readonly channelRoles: ReadonlySet<string>;
  /** The grants of a scope: `.app` or a channel type. */
  grantsOf(scope: string): ScopeGrants;
  /** The rules of a channel by its type and its stored overrides; undefined for an unknown type. */
  rulesOf(type: string, overrides?: string | null): ChannelRules | undefined;
}

/** How many different channel overrides have their rules cached. */
const OVERRIDES_CACHE_LIMIT = 500;

function scopeGrants(list: Grants, custom: ReadonlyMap<string, string>): ScopeGrants {
  const byRole = new Map<string, RoleGrants>();
  for (const [role, names] of Object.entries(list)) {
    const anyTeam = new Set<string>();
    const ownTeam = new Set<string>();
    for (const name of names.map((id) => custom.get(id) ?? id))
      if (name.endsWith(ANY_TEAM_SUFFIX)) {
        anyTeam.add(name.slice(0, -ANY_TEAM_SUFFIX.length));
        ownTeam.add(name.slice(0, -ANY_TEAM_SUFFIX.length));
      } else ownTeam.add(name);
    byRole.set(role, { ownTeam, anyTeam });
  }
  return { list, byRole };
}

/** `x` adds a permission to its role, `!x` removes it (specification/admin.md §2, config_overrides). */
function applyModifiers(grants: Grants, modifiers: Grants): Grants {
  const after: Record<string, readonly string[]> = { ...grants };
  for (const [role, names] of Object.entries(modifiers)) {
    const list = new Set(after[role]);
    for (const name of names)
      if (name.startsWith("!")) list.delete(name.slice(1));
      else list.add(name);
    after[role] = [...list];
  }
  return after;
}

interface Dated {
  created_at: number;
  updated_at: number;
}

const withDates = <Row extends Dated>(row: Row): Omit<Row, keyof Dated> & Record<keyof Dated, string> => ({
  ...row,
  created_at: timeFromMicros(row.created_at),
  updated_at: timeFromMicros(row.updated_at),
});

function readTypes(db: Database): Map<string, TypeSettings> {
  const types = new Map(Object.entries(BUILT_IN_TYPES));
  for (const row of storedTypes.list(db, {}, { by: ["name"] }))
    types.set(row.name, {
      ...types.get(row.name),
      ...(JSON.parse(row.settings) as TypeSettings),
      name: row.name,
      created_at: types.get(row.name)?.created_at ?? timeFromMicros(row.created_at),
      updated_at: timeFromMicros(row.updated_at),
    });
  return types;
}

function readGrants(db: Database): Map<string, Record<string, string[]>> {
  const changed = new Map<string, Record<string, string[]>>();
  for (const row of storedGrants.list(db)) {
    const scope = changed.get(row.scope) ?? {};
    scope[row.role] = JSON.parse(row.permissions) as string[];
    changed.set(row.scope, scope);
  }
  return changed;
}

/** `CreateMessage` → `create-message`. */
export const baseOfAction = (action: string): string =>
  action.replace(/[A-Z]/g, (letter, index: number) => (index === 0 ? "" : "-") + letter.toLowerCase());

/**
 * The app's own permissions by id → the id of the equivalent built-in permission. Those with a condition are left out and grant
 * nothing, because conditions are not evaluated here.
 */
function readPermissions(db: Database): Map<string, string> {
  const rows = db.all<{ id: string; data: string }>(
    "SELECT id, data FROM permissions WHERE data ->> '$.condition' IS NULL",
  );
  return new Map(
    rows.map(({ id, data }) => {
      const { action, owner, same_team } = JSON.parse(data) as {
        action: string;
        owner: boolean;
        same_team: boolean;
      };
      return [id, baseOfAction(action) + (owner ? OWNER_SUFFIX : "") + (same_team ? "" : ANY_TEAM_SUFFIX)];
    }),
  );
}

const readCommands = (db: Database): CommandInfo[] =>
  customCommands
    .list(db, {}, { by: ["name"] })
    .map(({ name, description, args, set_name: set, ...rest }) =>
      withDates({ name, description, args, set, ...rest }),
    );

function readAccess(db: Database): Access {
  const types = readTypes(db);
  const changed = readGrants(db);
  const commands = [...BUILT_IN_COMMANDS, ...readCommands(db)];
  const roles = customRoles.list(db, {}, { by: ["name"] }).map(withDates);
  const custom = roles.map(({ name }) => name);
  const permissions = readPermissions(db);
  const scopes = new Map<string, ScopeGrants>();
  for (const scope of [APP_SCOPE, ...types.keys()])
    scopes.set(scope, scopeGrants({ ...builtInGrants(scope), ...changed.get(scope) }, permissions));
  const rulesByType = new Map<string, ChannelRules>();
  for (const [name, settings] of types)
    rulesByType.set(name, {
      config: { ...settings, commands: expandCommands(settings.commands, commands) },
      grants: scopes.get(name)!,
    });
  const overriddenRules = new Map<string, ChannelRules>();

  const overridden = (base: ChannelRules, overrides: string): ChannelRules => {
    const {
      commands: names,
      grants,
      ...rest
    } = JSON.parse(overrides) as Partial<TypeSettings> & { grants?: Grants };
    return {
      config: {
        ...base.config,
        ...rest,
        ...(names ? { commands: expandCommands(names, commands) } : {}),
        ...(grants ? { grants: grants as Record<string, string[]> } : {}),
      },
      grants: grants ? scopeGrants(applyModifiers(base.grants.list, grants), permissions) : base.grants,
    };
  };

  return {
    types,
    commands,
    customRoles: roles,
    appRoles: new Set([...APP_ROLES, ...custom]),
    channelRoles: new Set([...CHANNEL_ROLES, ...custom]),
    grantsOf: (scope) => scopes.get(scope) ?? scopeGrants({}, permissions),
    rulesOf(type, overrides) {
      const base = rulesByType.get(type);
      if (!base || !overrides) return base;
      const key = `${type} ${overrides}`;
      let found = overriddenRules.get(key);
      if (!found) {
        if (overriddenRules.size >= OVERRIDES_CACHE_LIMIT) overriddenRules.clear();
        overriddenRules.set(key, (found = overridden(base, overrides)));
      }
      return found;
    },
  };
}

/** The rules in force at this point of the transaction. */
export const accessOf: (db: Database) => Access = cachedByStamp(ACCESS_STAMP, readAccess);

/** The configuration of a channel: that of its type with the channel's overrides applied; undefined for an unknown type. */
export function configOf(db: Database, type: string, overrides?: string | null): ChannelConfig | undefined {
  return accessOf(db).rulesOf(type, overrides)?.config;
}
