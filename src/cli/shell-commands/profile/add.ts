/** `parley profile add`: saves a profile. */
import { readChannel } from "../../../commands/base/args.ts";
import { findProfile, profileFrom, saveProfile, type AuthKind } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ADD_PROFILE_ARGS } from "./args.ts";

const add: ShellRun<typeof ADD_PROFILE_ARGS> = async (shell, args) => {
  const { name } = args;
  const kind = (args.kind as AuthKind | undefined) ?? (args.command ? "command" : "token");
  if (findProfile(shell.env, name))
    throw new ExitError(6, `Profile '${name}' already exists.`, "parley profile remove");
  if (args.channel) readChannel(args.channel, shell.settings.channelType);
  await saveProfile(shell.env, profileFrom(args, kind));
  printNotice(shell, `profile ${name} added`);
  return 0;
};
export default add;
