/** The environment for child processes. */
import type { Env } from "./paths.ts";

/** Child processes get the profile and the folders, but no secrets (specification/embedded-provider.md §1). */
export function withoutSecrets(env: Env): NodeJS.ProcessEnv {
  const { PARLEY_TOKEN: _token, PARLEY_API_SECRET: _secret, ...rest } = env;
  return rest;
}
