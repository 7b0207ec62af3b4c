/** Finds the running provider of a folder, for tests that need no other detail. */
import { probeProvider, type FoundProvider } from "../../../src/provider/lifecycle/probe.ts";

export async function findProvider(folder: string): Promise<FoundProvider | undefined> {
  const look = await probeProvider(folder);
  return look.state === "running" ? look.provider : undefined;
}
