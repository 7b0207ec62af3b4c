/** `parley local fault …`: requests that fail, wait or break off on purpose. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

export const ADD_ARGS = {
  match: {
    kind: "text",
    value: "request",
    place: "positional",
    optional: true,
    help: "A method or * and a path in which * stands for anything",
  },
  status: { kind: "number", help: "Refuse with this HTTP status" },
  code: { kind: "number", help: "Refuse with this code of the protocol" },
  delay: { kind: "duration", value: "length", help: "Wait before answering: 500ms, 2s" },
  drop: {
    kind: "choice",
    choices: ["request", "answer"],
    help: "Cut the line before anything is done (request) or instead of the answer",
  },
  times: { kind: "number", help: "How many requests; until cleared when absent" },
  dropWs: flag("End every open WebSocket now"),
} as const satisfies Args;

export const CLEAR_ARGS = {
  id: { kind: "text", place: "positional", optional: true, help: "Its id; all when absent" },
} as const satisfies Args;

export const faultCommands: Readonly<Record<string, ShellCommand>> = {
  "local fault add": shellCommand({
    summary: "Make matching requests fail, wait or break off",
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
    summary: "List the faults that are set",
    group: "Local",
    examples: ["local fault list"],
    args: {},
    dry: true,
    load: () => import("./list.ts"),
  }),
  "local fault clear": shellCommand({
    summary: "Take back one fault, or all of them",
    group: "Local",
    examples: ["local fault clear", "local fault clear 2"],
    args: CLEAR_ARGS,
    load: () => import("./clear.ts"),
  }),
};
