/** Arguments of `parley login`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";
import { PROFILE_FLAGS } from "../profile/flags.ts";

const { protected: PROTECTED, ...KNOWN } = PROFILE_FLAGS;

export const LOGIN_ARGS = {
  name: {
    kind: "text",
    positional: true,
    optional: true,
    default: "default",
    help: "The profile's name",
  },
  ...KNOWN,
  withToken: flagRow("Read the token from standard input"),
  secretStdin: flagRow("Read the secret from standard input"),
  secretFile: { kind: "file", help: "Read the token or secret from this file" },
  protected: PROTECTED,
  noTest: flagRow("Do not test the profile now"),
} as const satisfies Args;
