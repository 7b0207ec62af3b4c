/** Removes the push providers of the app, for several contract rows. */
import type { Room } from "./world.ts";

/** An app without push providers accepts any provider name; earlier rows may have created some. */
export async function withoutPushProviders({ world }: Room): Promise<void> {
  for (const one of (await world.ok("server", "GET", "/push_providers")).push_providers)
    await world.ok("server", "DELETE", `/push_providers/${one.type}/${one.name}`);
}
