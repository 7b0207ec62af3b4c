/** The permissions and settings of channel types as the app has set them, cached until somebody changes them. */
import type { ChannelConfig, CommandInfo } from "../../../../wire/entities/channel.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { cachedByStamp } from "../../../store/cached-by-stamp.ts";
import { ACCESS_STAMP } from "../../admin/storage/schema.ts";
import { BUILT_IN_TYPES, type TypeSettings } from "./channel-types.ts";
import { BUILT_IN_COMMANDS } from "../../../../wire/built-in-commands.ts";
import { expandCommands } from "./commands.ts";
import {
  ANY_TEAM,
  APP_ROLES,
  APP_SCOPE,
  builtInGrants,
  CHANNEL_ROLES,
  OWNER,
  type Grants,
} from "./grants.ts";

/** The permissions of one role, plain names: where the caller is of the same team (or teams count for nothing), and in any team. */
export interface RoleGrants {
  readonly ownTeam: ReadonlySet<string>;
  readonly anyTeam: ReadonlySet<string>;
}

/** The rules of one scope: by role; `list` holds the names as they were granted. */
export interface ScopeGrants {
  readonly list: Grants;
  readonly by: ReadonlyMap<string, RoleGrants>;
}

/** The rules of one channel. */
interface ChannelRules {
  readonly config: ChannelConfig;
  readonly grants: ScopeGrants;
}

interface Access {
  /** Settings of each type with commands as names, built-in ones first. */
  readonly types: ReadonlyMap<string, TypeSettings>;
  /** Built-in commands, then those of the app by name. */
  readonly commands: readonly CommandInfo[];
  readonly customRoles: readonly { name: string; created_at: string; updated_at: string }[];
  /** Roles users can hold, and roles members can hold; custom roles are both. */
  readonly appRoles: ReadonlySet<string>;
  readonly channelRoles: ReadonlySet<string>;
  /** The grants of `.app` or of a channel type. */
  grantsOf(scope: string): ScopeGrants;
  /** The rules of a channel by its type and its stored overrides; undefined for an unknown type. */
  rulesOf(type: string, overrides?: string | null): ChannelRules | undefined;
}

/** Rules of channels with overrides are kept for as many different ones. */
const REMEMBERED = 500;

function scopeGrants(list: Grants, custom: ReadonlyMap<string, string>): ScopeGrants {
  const by = new Map<string, RoleGrants>();
  for (const [role, names] of Object.entries(list)) {
    const anyTeam = new Set<string>();
    const ownTeam = new Set<string>();
    for (const name of names.map((one) => custom.get(one) ?? one))
      if (name.endsWith(ANY_TEAM)) {
        anyTeam.add(name.slice(0, -ANY_TEAM.length));
        ownTeam.add(name.slice(0, -ANY_TEAM.length));
      } else ownTeam.add(name);
    by.set(role, { ownTeam, anyTeam });
  }
  return { list, by };
}

/** `x` adds a permission to the list of its role, `!x` takes it away (specification/admin.md §2, config_overrides). */
function modified(grants: Grants, modifiers: Grants): Grants {
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

interface TypeRow {
  name: string;
  settings: string;
  created_at: number;
  updated_at: number;
}

function readTypes(db: Database): Map<string, TypeSettings> {
  const types = new Map(Object.entries(BUILT_IN_TYPES));
  for (const row of db.all<TypeRow>("SELECT * FROM channel_types ORDER BY name"))
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
  for (const row of db.all<{ scope: string; role: string; permissions: string }>("SELECT * FROM grants")) {
    const scope = changed.get(row.scope) ?? {};
    scope[row.role] = JSON.parse(row.permissions) as string[];
    changed.set(row.scope, scope);
  }
  return changed;
}

/** `CreateMessage` → `create-message`. */
export const baseOfAction = (action: string): string =>
  action.replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? "" : "-") + letter.toLowerCase());

/**
 * Permissions of the app → the built-in form they stand for: their action, whose thing, in whose team. One with a condition
 * stands for none: nothing here decides conditions, and a right that is not understood is not given.
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
      return [id, baseOfAction(action) + (owner ? OWNER : "") + (same_team ? "" : ANY_TEAM)];
    }),
  );
}

function readCommands(db: Database): CommandInfo[] {
  const rows = db.all<{
    name: string;
    description: string;
    args: string;
    set_name: string;
    created_at: number;
    updated_at: number;
  }>("SELECT * FROM commands ORDER BY name");
  return rows.map((row) => ({
    name: row.name,
    description: row.description,
    args: row.args,
    set: row.set_name,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  }));
}

const readCustomRoles = (db: Database): Access["customRoles"] =>
  db
    .all<{ name: string; created_at: number; updated_at: number }>("SELECT * FROM roles ORDER BY name")
    .map((row) => ({
      name: row.name,
      created_at: timeFromMicros(row.created_at),
      updated_at: timeFromMicros(row.updated_at),
    }));

function readAccess(db: Database): Access {
  const types = readTypes(db);
  const changed = readGrants(db);
  const commands = [...BUILT_IN_COMMANDS, ...readCommands(db)];
  const customRoles = readCustomRoles(db);
  const custom = customRoles.map(({ name }) => name);
  const permissions = readPermissions(db);
  const scopes = new Map<string, ScopeGrants>();
  for (const scope of [APP_SCOPE, ...types.keys()])
    scopes.set(scope, scopeGrants({ ...builtInGrants(scope), ...changed.get(scope) }, permissions));
  const plain = new Map<string, ChannelRules>();
  for (const [name, settings] of types)
    plain.set(name, {
      config: { ...settings, commands: expandCommands(settings.commands, commands) },
      grants: scopes.get(name)!,
    });
  const special = new Map<string, ChannelRules>();

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
      grants: grants ? scopeGrants(modified(base.grants.list, grants), permissions) : base.grants,
    };
  };

  return {
    types,
    commands,
    customRoles,
    appRoles: new Set([...APP_ROLES, ...custom]),
    channelRoles: new Set([...CHANNEL_ROLES, ...custom]),
    grantsOf: (scope) => scopes.get(scope) ?? scopeGrants({}, permissions),
    rulesOf(type, overrides) {
      const base = plain.get(type);
      if (!base || !overrides) return base;
      const key = `${type} ${overrides}`;
      let found = special.get(key);
      if (!found) {
        if (special.size >= REMEMBERED) special.clear();
        special.set(key, (found = overridden(base, overrides)));
      }
      return found;
    },
  };
}

/** The rules in force, as this moment of the transaction sees them. */
export const accessOf: (db: Database) => Access = cachedByStamp(ACCESS_STAMP, readAccess);

/** The switches of a channel: those of its type with the channel's own overrides; undefined for an unknown type. */
export function configOf(db: Database, type: string, overrides?: string | null): ChannelConfig | undefined {
  return accessOf(db).rulesOf(type, overrides)?.config;
}
