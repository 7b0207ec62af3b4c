/** `parley local …` and `parley serve`: the embedded provider of this data folder. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { clockCommands } from "./clock/index.ts";
import { faultCommands } from "./fault/index.ts";
import { robotCommands } from "./robot/index.ts";
import { snapshotCommands } from "./snapshot/index.ts";
import {
  SERVE_ARGS,
  STOP_ARGS,
  STATUS_ARGS,
  RESET_ARGS,
  TOKEN_ARGS,
  LOGS_ARGS,
  EXEC_ARGS,
  SEED_ARGS,
  LOCAL_IMPORT_ARGS,
  LOCAL_EXPORT_ARGS,
} from "./args.ts";

const local = commandInGroup("Local");

export const localCommands: Readonly<Record<string, ShellCommand>> = {
  serve: local({
    summary: "Run the embedded provider in the foreground",
    examples: ["serve", "serve --port 4100 --memory", "serve --allow-origin http://localhost:5173"],
    args: SERVE_ARGS,
    load: () => import("./serve.ts"),
  }),
  "local start": local({
    summary: "Start the embedded provider in the background, until it is stopped",
    examples: ["local start", "local start --json=url"],
    load: () => import("./start.ts"),
  }),
  "local stop": local({
    summary: "Stop the embedded provider",
    examples: ["local stop", "local stop --force"],
    args: STOP_ARGS,
    load: () => import("./stop.ts"),
  }),
  "local status": local({
    summary: "Show whether the embedded provider is running, where and since when",
    examples: ["local status", 'eval "$(parley local status -o env)"'],
    args: STATUS_ARGS,
    allowsDryRun: true,
    load: () => import("./status.ts"),
  }),
  "local reset": local({
    summary: "Erase everything in the embedded provider and start over",
    examples: ["local reset --confirm reset", "local reset --seed none"],
    args: RESET_ARGS,
    load: () => import("./reset.ts"),
  }),
  "local token": local({
    summary: "Print a token for a user of the embedded provider",
    examples: ["local token bob", 'PARLEY_TOKEN="$(parley local token bob)" parley whoami'],
    args: TOKEN_ARGS,
    load: () => import("./token.ts"),
  }),
  "local logs": local({
    summary: "Print the embedded provider's log",
    examples: ["local logs", "local logs -f"],
    args: LOGS_ARGS,
    allowsDryRun: true,
    load: () => import("./logs.ts"),
  }),
  "local exec": local({
    summary: "Run a command while the embedded provider is up, and exit with its code",
    examples: ["local exec -- npm test", "parley local exec -- sh -c 'parley channel list'"],
    args: EXEC_ARGS,
    load: () => import("./exec.ts"),
  }),
  "local seed": local({
    summary: "Fill the embedded provider with the demo workspace or an import file",
    examples: ["local seed", "local seed people.jsonl"],
    args: SEED_ARGS,
    load: () => import("./seed.ts"),
  }),
  "local import": local({
    summary: "Import messages into the embedded provider, including from Slack",
    examples: ["local import items.jsonl", "local import slack-export.zip"],
    args: LOCAL_IMPORT_ARGS,
    load: () => import("./import.ts"),
  }),
  "local export": local({
    summary: "Export all users and channels of the embedded provider to an import file",
    examples: ["local export all.jsonl", "local export all.jsonl --force"],
    args: LOCAL_EXPORT_ARGS,
    load: () => import("./export.ts"),
  }),
  "local coverage": local({
    summary: "List the routes that the embedded provider answers",
    examples: ["local coverage", "local coverage --json=op,path"],
    allowsDryRun: true,
    load: () => import("./coverage.ts"),
  }),
  ...faultCommands,
  ...clockCommands,
  ...robotCommands,
  ...snapshotCommands,
};
