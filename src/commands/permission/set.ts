/** Changes the given fields of a permission of the app, or of those of a file. */
import type { Core } from "../../core/core.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { Permission } from "../../wire/entities/role.ts";
import { readSettingChanges } from "../app/setting-changes.ts";
import {
  askedForAll,
  askForRights,
  fromWhole,
  isBulkSet,
  oneByOne,
  SET_FILE_ARGS,
  setOneOrFile,
  type Settable,
} from "../base/bulk/set-from-file.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { settableIn } from "../base/known-fields.ts";

/** Fields that stay text even if they look like numbers. */
const TEXTS: readonly string[] = ["name", "description", "action"];

type Caller = Pick<Core, "call">;

/** Whoever has the permission may do something else when one of these changes. */
const RIGHTS = ["action", "owner", "same_team", "condition"];

async function update(core: Caller, id: string, body: BodyOf<"updatePermission">): Promise<Permission> {
  await core.call("updatePermission", { path: { id }, body });
  return (await core.call("getPermission", { path: { id } })).permission;
}

async function settablePermissions(core: Caller): Promise<Settable<Permission>> {
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  return {
    noun: "permission",
    form: {
      ids: ["id", "permission"],
      known: ["id", "name", "description", "action", "owner", "same_team"],
      texts: TEXTS,
      readId: (text) => text,
    },
    isSettable: settableIn(adminBodies.updatePermission, "id"),
    ...askForRights(RIGHTS, "moderate"),
    ...fromWhole(
      async () => (await core.call("listPermissions")).permissions,
      ({ id }) => id,
    ),
    ...oneByOne((id, { set = {} }) => update(core, id, set)),
  };
}

export default command({
  summary: "Change fields of a permission of the app",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "permission set tidy-own owner=false name='Tidy up'",
    "permission set tidy-own description='Delete own messages'",
    "parley permission list --own --csv > own.csv; parley permission set --file own.csv",
  ],
  args: {
    permission: { kind: "text", value: "id", positional: true, orFile: true, help: "Its id" },
    fields: {
      ...PAIRS,
      optional: true,
      help: "name, description, action, owner, same_team and their new values",
    },
    ...SET_FILE_ARGS,
  },
  needs: "secret",
  asksWhileRunning: true,
  // Those of a file are asked about when it is known what changes.
  confirm: (args) =>
    isBulkSet(args) || args.fields.length === 0
      ? undefined
      : {
          level: "moderate",
          question: `Change permission ${args.permission} for every role that has it?`,
        },
  run(call) {
    const { args, core } = call;
    const { fields } = args;
    const one = async (id: string): Promise<Permission> =>
      update(
        core,
        id,
        await readSettingChanges(
          call,
          { fields, file: undefined, reset: [], texts: TEXTS },
          async () => ({}),
        ),
      );
    return setOneOrFile(call, {
      name: args.permission,
      one,
      asked: askedForAll(fields, [], TEXTS),
      of: () => settablePermissions(core),
    });
  },
  show: (one) => `${one.id} changed`,
});
