/** The push providers that rows about devices need. */
import type { Room } from "./world.ts";

/** Creates the provider whose name the rows' devices have, if it is not there. */
export async function withPushProvider({ world }: Room): Promise<void> {
  const push_provider = { type: "firebase", name: "main", firebase_credentials: "{}" };
  await world.ok("server", "POST", "/push_providers", { body: { push_provider } });
}

/** Removes those that earlier rows created. */
export async function withoutPushProviders({ world }: Room): Promise<void> {
  for (const one of (await world.ok("server", "GET", "/push_providers")).push_providers)
    await world.ok("server", "DELETE", `/push_providers/${one.type}/${one.name}`);
}
