/** Checks the user's key file for `parley doctor`. */
import { keysFile } from "../../config/paths.ts";
import { readSmallFile } from "../../model/files/small-file.ts";
import { readKeys } from "./key-file.ts";
import type { KeyProfile } from "../keys/lookup.ts";

/** Sentences with file and line; none if there is no key file. */
export function keyFileProblems(
  env: Readonly<Record<string, string | undefined>>,
  profile: KeyProfile,
): readonly string[] {
  try {
    return readKeys(readSmallFile(keysFile(env)), keysFile(env), profile).faults;
  } catch {
    return [];
  }
}
