/** The push providers of the app, which contract rows have in common. */
import type { Room } from "./world.ts";

/** Without one any name of a provider will do; rows that ran before may have left some. */
export async function withoutPushProviders({ world }: Room): Promise<void> {
  for (const one of (await world.ok("server", "GET", "/push_providers")).push_providers)
    await world.ok("server", "DELETE", `/push_providers/${one.type}/${one.name}`);
}
