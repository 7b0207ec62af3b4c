/** Changes the given fields of a permission of the app. */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { readSettingChanges } from "../app/setting-changes.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Change fields of a permission of the app",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "permission set tidy-own owner=false name='Tidy up'",
    "permission set tidy-own description='Delete own messages'",
  ],
  args: {
    permission: { kind: "text", value: "id", positional: true, help: "Its id" },
    fields: { ...PAIRS, help: "name, description, action, owner, same_team and their new values" },
  },
  needs: "secret",
  confirm: ({ permission }) => ({
    level: "moderate",
    question: `Change permission ${permission} for every role that has it?`,
  }),
  async run(call) {
    const path = { id: call.args.permission };
    const body = await readSettingChanges(
      call,
      { fields: call.args.fields, file: undefined, reset: [] },
      async () => ({}),
    );
    await call.core.call("updatePermission", { path, body: body as BodyOf<"updatePermission"> });
    return (await call.core.call("getPermission", { path })).permission;
  },
  show: (one) => `${one.id} changed`,
});
