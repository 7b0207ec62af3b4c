/** `parley local fault …`: makes requests fail, wait or break off on purpose. */
import { commandInGroup, type ShellCommand } from "../../../base/shell-command.ts";
import { ADD_FAULT_ARGS, CLEAR_ARGS } from "./args.ts";

const local = commandInGroup("Local");

export const faultCommands: Readonly<Record<string, ShellCommand>> = {
  "local fault add": local({
    summary: "Make matching requests fail, stall or be cut off",
    examples: [
      "local fault add 'POST */message' --status 429 --times 3",
      "local fault add 'GET /channels*' --delay 2s",
      "local fault add 'POST */message' --drop answer --times 1",
      "local fault add --drop-ws",
    ],
    args: ADD_FAULT_ARGS,
    load: () => import("./add.ts"),
  }),
  "local fault list": local({
    summary: "List active faults",
    examples: ["local fault list", "local fault list --json"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "local fault clear": local({
    summary: "Clear one fault or all of them",
    examples: ["local fault clear", "local fault clear 2"],
    args: CLEAR_ARGS,
    load: () => import("./clear.ts"),
  }),
};
