/** `parley api`: any operation of the provider by itself. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const API_ARGS = {
  words: {
    kind: "list",
    place: "positional",
    optional: true,
    help: "METHOD and path, or the name of an operation",
  },
  field: {
    kind: "list",
    value: "name=value",
    help: "name=value for path, query or body; a.b sets b inside a (repeatable)",
  },
  input: { kind: "text", value: "file", help: "File with the body as JSON; - reads standard input" },
  paginate: flag("Fetch all pages, one JSON document per line"),
  list: flag("List the operations"),
} as const satisfies Args;

export const api = shellCommand({
  summary: "Call an operation of the provider's API",
  group: "Scripts",
  examples: [
    "api GET /channels/messaging/ops",
    "api getMessage --field id=ana-7f3c",
    "api queryChannels --input - < query.json",
    "api --list",
  ],
  args: API_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
