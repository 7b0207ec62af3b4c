/** Runs a provider in its own process, for tests that kill it; prints its address and secret as one line of JSON. */
import { assembleProvider, FolderBusy } from "../../../src/provider/assemble.ts";
import { tiny } from "../tiny.ts";

const [folder] = process.argv.slice(2);
try {
  const provider = assembleProvider(tiny, { data: folder!, warn: (text) => console.error(text) });
  await provider.listen();
  console.log(
    JSON.stringify({ url: provider.url, apiKey: provider.apiKey, secret: provider.secret, pid: process.pid }),
  );
  process.on("SIGTERM", () => void provider.close());
  await provider.closed;
} catch (error) {
  if (!(error instanceof FolderBusy)) throw error;
  console.log(JSON.stringify({ busy: true }));
  process.exitCode = 3;
}
