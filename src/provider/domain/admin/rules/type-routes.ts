/** Routes of channel types: configuration and grants (specification/admin.md §2). */
import type { ChannelType, NamedChannelType } from "../../../../wire/entities/channel-type.ts";
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import { CHANNEL_TYPES_PER_APP } from "../../../../wire/constants.ts";
import { channelTypeProblem } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import {
  BUILT_IN_TYPES,
  DEFAULT_TYPE_SETTINGS,
  type TypeSettings,
} from "../../access/storage/channel-types.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import { grantsView, readGrants } from "./grants.ts";
import { readConfig } from "./type-settings.ts";
import { writeGrants } from "../../access/storage/rights.ts";
import { isUsedType } from "../storage/channel-types.ts";
import { storedGrants, storedTypes } from "../storage/schema.ts";

function requireType(db: Database, name: string): TypeSettings {
  const found = accessOf(db).types.get(name);
  if (!found) throw ApiProblem.notFound(`Channel type ${name.slice(0, 64)} does not exist`);
  return found;
}

/** The type, with commands as objects. */
export function typeView(db: Database, name: string): ChannelType {
  requireType(db, name);
  const { config, grants } = accessOf(db).rulesOf(name)!;
  return { ...config, grants: grantsView(grants.list), permissions: [] };
}

/** The type, with commands as names: the answer to a change (specification/wire.md §13.7). */
function namedView(db: Database, name: string): NamedChannelType {
  const view = typeView(db, name);
  return { ...view, commands: view.commands.map((command) => command.name) };
}

/** An empty list of commands means all commands (specification/admin.md §2). */
const defaultToAllCommands = (settings: Fields): Fields =>
  Array.isArray(settings.commands) && settings.commands.length === 0
    ? { ...settings, commands: ["all"] }
    : settings;

export function listChannelTypes({ db }: RouteCall): Reply<"listChannelTypes"> {
  const names = [...accessOf(db).types.keys()];
  return { channel_types: Object.fromEntries(names.map((name) => [name, typeView(db, name)])) };
}

export function getChannelType({ db, path }: RouteCall): Reply<"getChannelType"> {
  return typeView(db, path.name ?? "");
}

function storeType({ db, now }: RouteCall, name: string, settings: object): void {
  const at = now();
  const row = { name, settings: JSON.stringify(settings), created_at: at, updated_at: at };
  storedTypes.put(db, row, ["created_at"]);
}

export function createChannelType(call: RouteCall): Reply<"createChannelType"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const { name } = check.read({ name: adminBodies.createChannelType.name });
  const fault = name === "" ? undefined : channelTypeProblem(name);
  if (fault) check.fail("name", fault);
  else if (name && !/^[\w-]+$/.test(name)) check.fail("name", "may hold letters, digits, _ and - only");
  const access = accessOf(db);
  if (access.types.has(name)) check.fail("name", "is taken by another channel type");
  const { settings } = readConfig(db, check);
  const grants = readGrants(db, check);
  check.done();
  if (access.types.size >= CHANNEL_TYPES_PER_APP)
    throw invalidField("name", `is one too many: an app has at most ${CHANNEL_TYPES_PER_APP} channel types`);
  // Copied, so that later changes of the type `messaging` do not affect the new type.
  writeGrants(db, name, { ...access.grantsOf("messaging").list, ...grants });
  storeType(call, name, { ...DEFAULT_TYPE_SETTINGS, ...defaultToAllCommands(settings) });
  return namedView(db, name);
}

export function updateChannelType(call: RouteCall): Reply<"updateChannelType"> {
  const { db, body, path } = call;
  const name = path.name ?? "";
  requireType(db, name);
  const check = new BodyReader(body);
  if (body.name !== undefined && body.name !== name) check.fail("name", "cannot be changed");
  const { settings, cleared } = readConfig(db, check);
  const grants = readGrants(db, check);
  check.done();
  const before = storedTypes.find(db, { name });
  const after: Fields = { ...(before && (JSON.parse(before.settings) as Fields)), ...settings };
  const custom = !Object.hasOwn(BUILT_IN_TYPES, name);
  for (const key of cleared) {
    delete after[key];
    const initial = (DEFAULT_TYPE_SETTINGS as Fields)[key];
    if (custom && initial !== undefined) after[key] = initial;
  }
  if (body.grants === null) storedGrants.remove(db, { scope: name });
  else if (grants) writeGrants(db, name, grants);
  storeType(call, name, after);
  return namedView(db, name);
}

export function deleteChannelType({ db, path }: RouteCall): Reply<"deleteChannelType"> {
  const name = path.name ?? "";
  requireType(db, name);
  if (Object.hasOwn(BUILT_IN_TYPES, name)) throw invalidField("name", "is a built-in channel type and stays");
  if (isUsedType(db, name))
    throw invalidField("name", "is the type of channels that exist; delete them first");
  storedTypes.remove(db, { name });
  storedGrants.remove(db, { scope: name });
  return {};
}
