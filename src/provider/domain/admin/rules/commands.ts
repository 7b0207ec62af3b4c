/** Routes of custom slash commands (specification/admin.md §3). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import type { CommandInfo } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import { ALL_COMMANDS, BUILT_IN_COMMANDS } from "../../../../wire/built-in-commands.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import { customCommands } from "../storage/schema.ts";

const isBuiltIn = (name: string): boolean => BUILT_IN_COMMANDS.some((command) => command.name === name);

function requireCommand(db: Database, name: string): CommandInfo {
  const found = accessOf(db).commands.find((command) => command.name === name);
  if (!found) throw ApiProblem.notFound(`Command ${name.slice(0, 64)} does not exist`);
  return found;
}

export function listCommands({ db }: RouteCall): Reply<"listCommands"> {
  return { commands: accessOf(db).commands.filter(({ name }) => !isBuiltIn(name)) };
}

export function getCommand({ db, path }: RouteCall): Reply<"getCommand"> {
  return { ...requireCommand(db, path.name ?? "") };
}

export function createCommand(call: RouteCall): Reply<"createCommand"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const { name, description, args = "", set = "" } = check.read(adminBodies.createCommand);
  const { commands } = accessOf(db);
  if (name && !NAME.test(name)) check.fail("name", NAME_FORM);
  else if (name === ALL_COMMANDS || commands.some((command) => command.name === name || command.set === name))
    check.fail("name", "is taken by another command or set");
  checkSet(check, set);
  check.done();
  const now = call.now();
  customCommands.insert(db, { name, description, args, set_name: set, created_at: now, updated_at: now });
  return { command: requireCommand(db, name) };
}

function checkSet(check: BodyReader, set: string): void {
  if (set !== "" && !NAME.test(set)) check.fail("set", NAME_FORM);
}

export function updateCommand(call: RouteCall): Reply<"updateCommand"> {
  const { db, body, path } = call;
  const before = requireCommand(db, path.name ?? "");
  if (isBuiltIn(before.name)) throw invalidField("name", "is a built-in command and stays as it is");
  const check = new BodyReader(body);
  const { description, args, set } = check.read(adminBodies.updateCommand);
  if (description !== undefined && description.trim() === "") check.fail("description", "must not be blank");
  checkSet(check, set ?? "");
  check.done();
  customCommands.update(db, before, {
    description: description ?? before.description,
    args: args ?? before.args,
    set_name: set ?? before.set,
    updated_at: call.now(),
  });
  return { command: requireCommand(db, before.name) };
}

/** Refused while a channel type lists the command by name. */
export function deleteCommand({ db, path }: RouteCall): Reply<"deleteCommand"> {
  const { name } = requireCommand(db, path.name ?? "");
  if (isBuiltIn(name)) throw invalidField("name", "is a built-in command and stays");
  const users = [...accessOf(db).types.values()].filter((type) => type.commands.includes(name));
  if (users.length > 0)
    throw invalidField("name", `is named by the channel type ${users[0]!.name}; take it out of there first`);
  customCommands.remove(db, { name });
  return { name };
}
