/** Finds the profile that an argument names, else the one in use. */
import { findProfile, type Profile } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

/** The profile of that name, or the one in use. Throws `ExitError` 3 when there is none. */
export function profileOf(shell: Shell, name: string | undefined): Profile {
  const asked = name || shell.settings.profile;
  const found = findProfile(shell.env, asked);
  if (!found) throw new ExitError(3, `There is no profile '${asked}'.`, "parley profile list");
  return found;
}
