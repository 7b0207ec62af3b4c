/** `parley config …`: shows, changes and explains settings. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { ONE_SETTING, SET_ARGS } from "./args.ts";

const setup = commandInGroup("Setup");

export const configCommands: Readonly<Record<string, ShellCommand>> = {
  "config list": setup({
    summary: "List settings and their values",
    examples: ["config list", "config list --json=key,value"],
    aliases: ["ls"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "config get": setup({
    summary: "Print the value of a setting",
    examples: ["config get theme", "config get limit --json"],
    args: ONE_SETTING,
    allowsDryRun: true,
    load: () => import("./get.ts"),
  }),
  "config set": setup({
    summary: "Set a setting permanently",
    examples: ["config set theme dark", "config set limit 100"],
    args: SET_ARGS,
    load: () => import("./set.ts"),
  }),
  "config unset": setup({
    summary: "Reset a setting to its default",
    examples: ["config unset theme", "config unset limit"],
    args: ONE_SETTING,
    load: () => import("./unset.ts"),
  }),
  "config edit": setup({
    summary: "Open the config file in your editor",
    examples: ["config edit", "VISUAL=nano parley config edit"],
    skipsConfig: true,
    load: () => import("./edit.ts"),
  }),
  "config explain": setup({
    summary: "Explain where the value of a setting comes from",
    examples: ["config explain limit", "config explain theme --json"],
    args: ONE_SETTING,
    allowsDryRun: true,
    load: () => import("./explain.ts"),
  }),
  "config path": setup({
    summary: "Show where files are stored",
    examples: ["config path", "config path --json"],
    skipsConfig: true,
    allowsDryRun: true,
    load: () => import("./path.ts"),
  }),
};
