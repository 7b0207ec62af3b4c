/** The environment of programs that a run starts. */
import type { Shell } from "./shell.ts";

/** Secrets are for this process: a program that is started gets a profile and folders (specification/embedded-provider.md §1). */
export function withoutSecrets(env: Shell["env"]): NodeJS.ProcessEnv {
  const { PARLEY_TOKEN: _token, PARLEY_API_SECRET: _secret, ...rest } = env;
  return rest;
}
