/** Creates a channel type; other settings get their defaults. */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { readObject } from "../app/setting-changes.ts";
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { rejectUnknownFields } from "../base/known-fields.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";

export default command({
  summary: "Create a channel type",
  changes: "provider",
  examples: ["channel-type create kitchen replies=false", "channel-type create kitchen --file kitchen.json"],
  args: {
    type: { kind: "text", value: "name", positional: true, help: "Its name" },
    settings: { ...PAIRS, optional: true, help: "Settings of its channels" },
    command: {
      kind: "list",
      value: "name",
      help: "A command or set it offers (repeatable; default: all)",
    },
    file: { kind: "file", short: "f", help: "File with a JSON object of settings; - reads standard input" },
  },
  needs: "secret",
  async run(call) {
    const { args, core } = call;
    const body = {
      ...(args.file === undefined ? {} : await readObject(call, args.file)),
      ...readPairs(args.settings, "a setting"),
      ...(args.command.length ? { commands: args.command } : {}),
      name: args.type,
    } as BodyOf<"createChannelType">;
    const { adminBodies } = await import("../../wire/bodies/admin.ts");
    rejectUnknownFields(adminBodies.createChannelType, body, "A channel type");
    const findExisting = (): Promise<unknown> => core.call("getChannelType", { path: { name: args.type } });
    const message = `Channel type ${args.type} already exists.`;
    const { duration: _, ...type } = await unlessTaken(
      core.call("createChannelType", { body }),
      findExisting,
      {
        message,
        hint: "parley channel-type set changes it.",
      },
    );
    return type;
  },
  show: (type) => `${type.name} created`,
});
