/** Starts an embedded provider for one run alone, in a temporary folder, and erases it afterwards. */
import { rmSync } from "node:fs";
import path from "node:path";
import type { OwnProvider } from "../../commands/base/define-command.ts";
import type { CallDefaults } from "../../core/core.ts";
import { makeTemporaryFolder } from "../../model/files/temporary-folder.ts";
import type { Host } from "../../open.ts";

/** Throws what starting a provider throws, and what `use` throws. */
export async function onEmptyProvider<T>(
  host: Host,
  calls: CallDefaults,
  use: (provider: OwnProvider) => Promise<T>,
): Promise<T> {
  const folder = makeTemporaryFolder();
  const { local, open } = host.withLocalData(path.join(folder, "provider"));
  try {
    const { url, apiKey } = await local.start(false);
    const { core, close } = await open({ profile: "local", server: true, inMemory: true, calls });
    try {
      return await use({ core, url, apiKey });
    } finally {
      await close();
    }
  } finally {
    await local.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
