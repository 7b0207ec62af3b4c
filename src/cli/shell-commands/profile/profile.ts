/** Finds the profile named by an argument. */
import { findProfile, type Profile } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

/** The profile with this name, or the current one. Throws `ExitError` 3 when there is none. */
export function profileOf(shell: Shell, name: string | undefined): Profile {
  const profileName = name || shell.settings.profile;
  const found = findProfile(shell.env, profileName);
  if (!found) throw new ExitError(3, `There is no profile '${profileName}'.`, "parley profile list");
  return found;
}
