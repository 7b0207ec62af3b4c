/** `parley profile …`: manages profiles, each with a provider and a user. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { ONE_PROFILE, NAMED_PROFILE, ADD_PROFILE_ARGS, PROFILE_DATA_ARGS } from "./args.ts";

const setup = commandInGroup("Setup");

export const profileCommands: Readonly<Record<string, ShellCommand>> = {
  "profile list": setup({
    summary: "List profiles",
    examples: ["profile list", "profile list --json=name,url"],
    aliases: ["ls"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "profile show": setup({
    summary: "Show a profile, never its secret",
    examples: ["profile show work", "profile show --json=kind"],
    args: ONE_PROFILE,
    allowsDryRun: true,
    load: () => import("./show.ts"),
  }),
  "profile data": setup({
    summary: "Show where the data of a profile's app are on this machine",
    examples: ["profile data", "profile data work --same https://chat.example"],
    args: PROFILE_DATA_ARGS,
    load: () => import("./data.ts"),
  }),
  "profile add": setup({
    summary: "Add a profile without a secret (parley login adds one with it)",
    examples: [
      "profile add ci --key k3y --user bot --command 'pass show chat/token'",
      "profile add live --key k3y --kind secret --protected",
    ],
    args: ADD_PROFILE_ARGS,
    load: () => import("./add.ts"),
  }),
  "profile use": setup({
    summary: "Switch to a profile",
    examples: ["profile use work", "profile use local"],
    args: NAMED_PROFILE,
    load: () => import("./use.ts"),
  }),
  "profile remove": setup({
    summary: "Remove a profile, its secret and its local data",
    examples: ["profile remove work", "profile remove work --yes"],
    aliases: ["rm"],
    args: NAMED_PROFILE,
    load: () => import("./remove.ts"),
  }),
  "profile test": setup({
    summary: "Test the address, key and token of a profile",
    examples: ["profile test work", "profile test work --json"],
    args: ONE_PROFILE,
    allowsDryRun: true,
    load: () => import("./test.ts"),
  }),
};
