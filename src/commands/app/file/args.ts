/** The arguments of plan and apply. */
import type { Args } from "../../base/define-command.ts";

export const APP_FILE_ARGS = {
  file: { kind: "file", positional: true, help: "The app file (YAML or JSON); - reads standard input" },
  prune: { kind: "flag", help: "Remove what the sections of the file do not name" },
} as const satisfies Args;
