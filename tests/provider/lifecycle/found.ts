/** The provider of a folder, for tests that ask only whether one is running. */
import { lookAt } from "../../../src/provider/lifecycle/find.ts";
import type { FoundProvider } from "../../../src/provider/lifecycle/find.ts";

export async function findProvider(folder: string): Promise<FoundProvider | undefined> {
  const look = await lookAt(folder);
  return look.state === "running" ? look.provider : undefined;
}
