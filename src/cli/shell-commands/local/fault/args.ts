/** Arguments of `parley local fault …`. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { flagRow } from "../../../base/shell-command.ts";

export const ADD_FAULT_ARGS = {
  match: {
    kind: "text",
    value: "request",
    positional: true,
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
  dropWs: flagRow("Close every open WebSocket now"),
} as const satisfies Args;

export const CLEAR_ARGS = {
  id: { kind: "text", positional: true, optional: true, help: "Id of the fault (default: all)" },
} as const satisfies Args;
