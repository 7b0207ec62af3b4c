/** `parley profile …`: saved providers and the user to be there. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";
import { PROFILE_FLAGS } from "./flags.ts";

/** A profile, or the one in use. */
export const ONE_PROFILE = {
  name: { kind: "text", place: "positional", optional: true, help: "The profile" },
} as const satisfies Args;

export const NAMED_PROFILE = {
  name: { kind: "text", place: "positional", help: "The profile" },
} as const satisfies Args;

const { protected: PROTECTED, ...KNOWN } = PROFILE_FLAGS;

export const ADD_ARGS = {
  name: { kind: "text", place: "positional", help: "Its name" },
  ...KNOWN,
  key: { kind: "text", value: "key", required: true, help: "The app's API key" },
  user: { kind: "user", help: "The user id" },
  channel: { kind: "text", value: "channel", help: "Default channel" },
  tool: {
    kind: "list",
    value: "command",
    help: "Allow parley mcp only this command, or a noun such as 'channel *' (repeatable)",
  },
  protected: PROTECTED,
} as const satisfies Args;

export const profileCommands: Readonly<Record<string, ShellCommand>> = {
  "profile list": shellCommand({
    summary: "List profiles",
    group: "Setup",
    examples: ["profile list", "profile list --json=name,url"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "profile show": shellCommand({
    summary: "Show a profile, never its secret",
    group: "Setup",
    examples: ["profile show work", "profile show --json=kind"],
    args: ONE_PROFILE,
    dry: true,
    load: () => import("./show.ts"),
  }),
  "profile add": shellCommand({
    summary: "Add a profile without a secret (parley login adds one with it)",
    group: "Setup",
    examples: [
      "profile add ci --key k3y --user bot --command 'pass show chat/token'",
      "profile add live --key k3y --kind secret --protected",
    ],
    args: ADD_ARGS,
    load: () => import("./add.ts"),
  }),
  "profile use": shellCommand({
    summary: "Switch to a profile",
    group: "Setup",
    examples: ["profile use work", "profile use local"],
    args: NAMED_PROFILE,
    load: () => import("./use.ts"),
  }),
  "profile remove": shellCommand({
    summary: "Remove a profile, its secret and its local data",
    group: "Setup",
    examples: ["profile remove work", "profile remove work --yes"],
    aliases: ["rm"],
    args: NAMED_PROFILE,
    load: () => import("./remove.ts"),
  }),
  "profile test": shellCommand({
    summary: "Test the address, key and token of a profile",
    group: "Setup",
    examples: ["profile test work", "profile test work --json"],
    args: ONE_PROFILE,
    dry: true,
    load: () => import("./test.ts"),
  }),
};
