/** `parley local fault …`: makes requests fail, wait or break off on purpose. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

export const ADD_ARGS = {
  match: {
    kind: "text",
    value: "request",
    place: "positional",
    optional: true,
    help: "Method (or *) and path, in which * matches anything",
  },
  status: { kind: "number", help: "Answer with this HTTP status" },
  code: { kind: "number", help: "Answer with this error code of the protocol" },
  delay: { kind: "duration", value: "length", help: "Delay the answer: 500ms, 2s" },
  drop: {
    kind: "choice",
    choices: ["request", "answer"],
    help: "Cut the connection before the request is handled, or instead of the answer",
  },
  times: { kind: "number", from: 1, help: "How many requests (default: until cleared)" },
  dropWs: flag("Close every open WebSocket now"),
} as const satisfies Args;

export const CLEAR_ARGS = {
  id: { kind: "text", place: "positional", optional: true, help: "Id of the fault (default: all)" },
} as const satisfies Args;

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
