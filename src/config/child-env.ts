/** The environment for child processes. */
import type { Env } from "./paths.ts";

/** `PARLEY_TOKEN`, `PARLEY_API_SECRET`, and any other variable of Parley whose name says that it holds or leads to one. */
const SECRET_NAME = /^PARLEY_(?:\w+_)?(?:TOKEN|SECRET|PASSWORD)S?(?:_|$)/i;

/** The address of a proxy may have a password in it. */
const hasPassword = (value = ""): boolean => Boolean(URL.parse(value)?.password);

/** Child processes get the profile and the folders, but no secrets (specification/embedded-provider.md §1). */
export function withoutSecrets(env: Env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !SECRET_NAME.test(name) && !(/^PARLEY_/i.test(name) && hasPassword(value)),
    ),
  );
}
