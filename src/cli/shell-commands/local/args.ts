/** Arguments of `parley local …`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

const SEED = { kind: "choice", choices: ["demo", "none"] } as const;

export const SERVE_ARGS = {
  port: { kind: "number", from: 0, to: 65_535, help: "TCP port on loopback; 0 picks a free one" },
  data: { kind: "file", help: "Data folder" },
  memory: flagRow("Store nothing on disk"),
  seed: { ...SEED, help: "Initial content of a new data folder: demo or none" },
  allowOrigin: {
    kind: "list",
    value: "origin",
    help: "Let web pages of this origin use it, such as http://localhost:5173 (repeatable)",
  },
  rateLimits: flagRow("Refuse calls over the rate limits, which are only counted otherwise"),
} as const satisfies Args;

export const STOP_ARGS = {
  force: flagRow("Kill it if it does not answer"),
} as const satisfies Args;

export const STATUS_ARGS = {
  output: {
    kind: "choice",
    short: "o",
    choices: ["env", "json"],
    help: "env: shell variables that another program needs to connect; json",
  },
} as const satisfies Args;

export const RESET_ARGS = {
  seed: { ...SEED, help: "Initial content: demo or none" },
} as const satisfies Args;

export const TOKEN_ARGS = {
  user: { kind: "user", positional: true, help: "The user" },
} as const satisfies Args;

export const LOGS_ARGS = {
  follow: { ...flagRow("Keep printing what is logged from now on"), short: "f" },
} as const satisfies Args;

export const EXEC_ARGS = {
  command: { kind: "list", positional: true, mayBeEmpty: true, help: "The command and its arguments" },
} as const satisfies Args;

export const SEED_ARGS = {
  what: {
    kind: "text",
    value: "file",
    positional: true,
    optional: true,
    default: "demo",
    help: "demo, or an import file",
  },
} as const satisfies Args;

export const LOCAL_IMPORT_ARGS = {
  file: {
    kind: "file",
    positional: true,
    help: "An import file, the zip or folder of a Slack export, or plain NDJSON (parley help importing); - is standard input",
  },
  source: {
    kind: "choice",
    choices: ["auto", "export", "slack", "plain"],
    default: "auto",
    help: "What kind of file it is; auto detects it, export is a channel export",
  },
  replace: flagRow("Overwrite what exists with what the file says; by default the file only adds to it"),
} as const satisfies Args;

export const LOCAL_EXPORT_ARGS = {
  file: { kind: "file", positional: true, help: "Output file" },
  force: flagRow("Overwrite an existing file"),
} as const satisfies Args;
