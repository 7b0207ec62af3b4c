/** Arguments of `parley profile …`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";
import { PROFILE_FLAGS } from "./flags.ts";

/** A profile, or the one in use. */
export const ONE_PROFILE = {
  name: { kind: "text", positional: true, optional: true, help: "The profile" },
} as const satisfies Args;

export const NAMED_PROFILE = {
  name: { kind: "text", positional: true, help: "The profile" },
} as const satisfies Args;

const { protected: PROTECTED, ...KNOWN } = PROFILE_FLAGS;

export const ADD_PROFILE_ARGS = {
  name: { kind: "text", positional: true, help: "Its name" },
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

export const PROFILE_DATA_ARGS = {
  ...ONE_PROFILE,
  same: { kind: "text", value: "url", help: "Its key was used at this address before, for the same app" },
  new: flagRow("Its app is another one than that of the same key elsewhere"),
} as const satisfies Args;
