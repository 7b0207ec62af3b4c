/** `parley local fault …`: makes requests fail, wait or break off on purpose. */
import { shellCommand, type ShellCommand } from "../../../base/shell-command.ts";
import { ADD_ARGS, CLEAR_ARGS } from "./args.ts";

export const faultCommands: Readonly<Record<string, ShellCommand>> = {
  "local fault add": shellCommand({
    summary: "Make matching requests fail, stall or be cut off",
    group: "Local",
    examples: [
      "local fault add 'POST */message' --status 429 --times 3",
      "local fault add 'GET /channels*' --delay 2s",
      "local fault add 'POST */message' --drop answer --times 1",
      "local fault add --drop-ws",
    ],
    args: ADD_ARGS,
    load: () => import("./add.ts"),
  }),
  "local fault list": shellCommand({
    summary: "List active faults",
    group: "Local",
    examples: ["local fault list", "local fault list --json"],
    args: {},
    dry: true,
    load: () => import("./list.ts"),
  }),
  "local fault clear": shellCommand({
    summary: "Clear one fault or all of them",
    group: "Local",
    examples: ["local fault clear", "local fault clear 2"],
    args: CLEAR_ARGS,
    load: () => import("./clear.ts"),
  }),
};
