/** Arguments of `parley audit …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const AUDIT_ARGS = {
  since: { kind: "time", help: "Only from this time on" },
  command: { kind: "text", help: "Only this command or noun" },
} as const satisfies Args;

export const VERIFY_ARGS = {
  head: {
    kind: "text",
    value: "hash",
    help: "Require an entry with this hash, so that none was cut off the end",
  },
} as const satisfies Args;
