/** `parley local snapshot …`: states of the embedded provider, saved and brought back. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

export const SAVE_ARGS = {
  name: { kind: "text", place: "positional", help: "Letters, digits, _ and -" },
} as const satisfies Args;

export const NAMED = {
  name: { kind: "text", place: "positional", help: "Its name" },
} as const satisfies Args;

export const snapshotCommands: Readonly<Record<string, ShellCommand>> = {
  "local snapshot save": shellCommand({
    summary: "Save the whole state of the embedded provider under a name",
    group: "Local",
    examples: ["local snapshot save before"],
    args: SAVE_ARGS,
    load: () => import("./save.ts"),
  }),
  "local snapshot load": shellCommand({
    summary: "Go back to a saved state; what came after it is forgotten",
    group: "Local",
    examples: ["local snapshot load before"],
    args: NAMED,
    load: () => import("./load.ts"),
  }),
  "local snapshot list": shellCommand({
    summary: "List the saved states",
    group: "Local",
    examples: ["local snapshot list"],
    args: {},
    dry: true,
    load: () => import("./list.ts"),
  }),
  "local snapshot delete": shellCommand({
    summary: "Forget a saved state",
    group: "Local",
    examples: ["local snapshot delete before"],
    args: NAMED,
    load: () => import("./delete.ts"),
  }),
};
