/** `parley config …`: settings, shown, changed and explained. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { ONE_SETTING, SET_ARGS } from "./args.ts";

export const configCommands: Readonly<Record<string, ShellCommand>> = {
  "config list": shellCommand({
    summary: "List settings and their values",
    group: "Setup",
    examples: ["config list", "config list --json=key,value"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "config get": shellCommand({
    summary: "Print the value of a setting",
    group: "Setup",
    examples: ["config get theme", "config get limit --json"],
    args: ONE_SETTING,
    dry: true,
    load: () => import("./get.ts"),
  }),
  "config set": shellCommand({
    summary: "Set a setting permanently",
    group: "Setup",
    examples: ["config set theme dark", "config set limit 100"],
    args: SET_ARGS,
    load: () => import("./set.ts"),
  }),
  "config unset": shellCommand({
    summary: "Reset a setting to its default",
    group: "Setup",
    examples: ["config unset theme", "config unset limit"],
    args: ONE_SETTING,
    load: () => import("./unset.ts"),
  }),
  "config edit": shellCommand({
    summary: "Open the config file in your editor",
    group: "Setup",
    examples: ["config edit", "VISUAL=nano parley config edit"],
    bare: true,
    args: {},
    load: () => import("./edit.ts"),
  }),
  "config explain": shellCommand({
    summary: "Explain where the value of a setting comes from",
    group: "Setup",
    examples: ["config explain limit", "config explain theme --json"],
    args: ONE_SETTING,
    dry: true,
    load: () => import("./explain.ts"),
  }),
  "config path": shellCommand({
    summary: "Show where files are stored",
    group: "Setup",
    examples: ["config path", "config path --json"],
    bare: true,
    args: {},
    dry: true,
    load: () => import("./path.ts"),
  }),
};
