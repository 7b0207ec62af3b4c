/** `parley config …`: settings, shown, changed and explained. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const ONE_SETTING = {
  key: { kind: "text", place: "positional", help: "The setting" },
} as const satisfies Args;

export const SET_ARGS = {
  ...ONE_SETTING,
  value: { kind: "text", place: "positional", help: "The value" },
} as const satisfies Args;

export const configCommands: Readonly<Record<string, ShellCommand>> = {
  "config list": shellCommand({
    summary: "List settings and their values",
    group: "Setup",
    examples: ["config list"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "config get": shellCommand({
    summary: "Print one setting",
    group: "Setup",
    examples: ["config get theme"],
    args: ONE_SETTING,
    dry: true,
    load: () => import("./get.ts"),
  }),
  "config set": shellCommand({
    summary: "Change a setting for good",
    group: "Setup",
    examples: ["config set theme dark"],
    args: SET_ARGS,
    load: () => import("./set.ts"),
  }),
  "config unset": shellCommand({
    summary: "Take a setting back",
    group: "Setup",
    examples: ["config unset theme"],
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
    summary: "Where a setting's value comes from",
    group: "Setup",
    examples: ["config explain limit"],
    args: ONE_SETTING,
    dry: true,
    load: () => import("./explain.ts"),
  }),
  "config path": shellCommand({
    summary: "Where files lie",
    group: "Setup",
    examples: ["config path"],
    bare: true,
    args: {},
    dry: true,
    load: () => import("./path.ts"),
  }),
};
