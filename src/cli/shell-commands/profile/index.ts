/** `parley profile …`: saved providers and the user to be there. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { ONE_PROFILE, NAMED_PROFILE, ADD_ARGS } from "./args.ts";

export const profileCommands: Readonly<Record<string, ShellCommand>> = {
  "profile list": shellCommand({
    summary: "List profiles",
    group: "Setup",
    examples: ["profile list", "profile list --json=name,url"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "profile show": shellCommand({
    summary: "Show a profile, never its secret",
    group: "Setup",
    examples: ["profile show work", "profile show --json=kind"],
    args: ONE_PROFILE,
    dry: true,
    load: () => import("./show.ts"),
  }),
  "profile add": shellCommand({
    summary: "Add a profile without a secret (parley login adds one with it)",
    group: "Setup",
    examples: [
      "profile add ci --key k3y --user bot --command 'pass show chat/token'",
      "profile add live --key k3y --kind secret --protected",
    ],
    args: ADD_ARGS,
    load: () => import("./add.ts"),
  }),
  "profile use": shellCommand({
    summary: "Switch to a profile",
    group: "Setup",
    examples: ["profile use work", "profile use local"],
    args: NAMED_PROFILE,
    load: () => import("./use.ts"),
  }),
  "profile remove": shellCommand({
    summary: "Remove a profile, its secret and its local data",
    group: "Setup",
    examples: ["profile remove work", "profile remove work --yes"],
    aliases: ["rm"],
    args: NAMED_PROFILE,
    load: () => import("./remove.ts"),
  }),
  "profile test": shellCommand({
    summary: "Test the address, key and token of a profile",
    group: "Setup",
    examples: ["profile test work", "profile test work --json"],
    args: ONE_PROFILE,
    dry: true,
    load: () => import("./test.ts"),
  }),
};
