/** `parley profile add`: saves a profile. */
import { PROFILE_FLAGS } from "./profile.ts";
import { command } from "../../../commands/base/define-command.ts";
import { readChannel } from "../../../commands/base/args.ts";
import { findProfile, profileFrom, saveProfile, type AuthKind } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice, type Shell } from "../../base/shell.ts";

const { protected: PROTECTED, ...KNOWN } = PROFILE_FLAGS;

export default command({
  shell: true,
  summary: "Add a profile without a secret (parley login adds one with it)",
  examples: [
    "profile add ci --key k3y --user bot --command 'pass show chat/token'",
    "profile add live --key k3y --kind secret --protected",
  ],
  args: {
    name: { kind: "text", positional: true, help: "Its name" },
    ...KNOWN,
    key: { kind: "text", value: "key", required: true, help: "The app's API key" },
    user: { kind: "user", help: "The user id" },
    channel: { kind: "text", value: "channel", help: "Default channel" },
    tool: {
      kind: "list",
      value: "command",
      help: "Allow parley mcp only this command, or a noun such as 'channel *' (repeatable)",
    },
    protected: PROTECTED,
  },
  async run(shell: Shell, args) {
    const { name } = args;
    const kind = (args.kind as AuthKind | undefined) ?? (args.command ? "command" : "token");
    if (findProfile(shell.env, name))
      throw new ExitError(6, `Profile '${name}' already exists.`, "parley profile remove");
    if (args.tool.length > 0) (await import("../mcp/tools.ts")).requireTools(args.tool);
    if (args.channel) readChannel(args.channel, shell.settings.channelType);
    await saveProfile(shell.env, profileFrom(args, kind));
    printNotice(shell, `profile ${name} added`);
    return 0;
  },
});
