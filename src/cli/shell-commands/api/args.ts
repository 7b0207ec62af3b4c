/** Arguments of `parley api`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const API_ARGS = {
  words: {
    kind: "list",
    positional: true,
    optional: true,
    help: "METHOD and path, or the name of an operation",
  },
  field: {
    kind: "list",
    value: "name=value",
    help: "name=value for path, query or body; a.b sets b inside a (repeatable)",
  },
  input: { kind: "text", value: "file", help: "File with the body as JSON; - reads standard input" },
  paginate: flagRow("Fetch all pages, one JSON document per line"),
  list: flagRow("List the operations"),
} as const satisfies Args;
