/** Finds the profile named by an argument. */
import type { Args } from "../../../commands/base/define-command.ts";
import { findProfile, type Profile } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

/** The flags that describe a profile, for `parley login` and `parley profile add`. */
export const PROFILE_FLAGS = {
  url: { kind: "text", value: "url", help: "Base URL of the provider" },
  key: { kind: "text", value: "key", help: "The app's API key" },
  user: { kind: "user", help: "Your user id" },
  kind: { kind: "choice", choices: ["token", "command", "secret"], help: "token, command or secret" },
  command: { kind: "text", value: "line", help: "Command that prints a token" },
  protected: { kind: "flag", help: "Ask before every write" },
} as const satisfies Args;

export const NAMED_PROFILE = {
  name: { kind: "text", positional: true, help: "The profile" },
} as const satisfies Args;

/** A profile, or the one in use. */
export const ONE_PROFILE = {
  name: { kind: "text", positional: true, optional: true, help: "The profile" },
} as const satisfies Args;

/** The profile with this name, or the current one. Throws `ExitError` 3 when there is none. */
export function profileOf(shell: Shell, name: string | undefined): Profile {
  const profileName = name || shell.settings.profile;
  const found = findProfile(shell.env, profileName);
  if (!found) throw new ExitError(3, `There is no profile '${profileName}'.`, "parley profile list");
  return found;
}
