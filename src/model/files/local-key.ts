/** The API key of an embedded provider, derived from the secret in its data folder. */
import { createHash } from "node:crypto";
import path from "node:path";
import { LOCAL_KEY_PREFIX } from "../loopback.ts";
import { readOwn } from "./own-files.ts";

/** The name of the file with the secret. */
export const SECRET_FILE = "secret";

/** Always the same key for a secret; reveals nothing of it. */
export function apiKeyOf(secret: string): string {
  return `${LOCAL_KEY_PREFIX}${createHash("sha256").update(`api key\n${secret}`).digest("hex").slice(0, 16)}`;
}

/** Undefined before the provider's first start, or if the file may not be read. */
export function localKeyOf(folder: string): string | undefined {
  try {
    const secret = readOwn(path.join(folder, SECRET_FILE))?.trim();
    return secret ? apiKeyOf(secret) : undefined;
  } catch {
    return undefined;
  }
}
