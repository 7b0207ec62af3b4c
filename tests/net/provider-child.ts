/** The embedded provider in a process of its own, for tests that kill it: prints its address and key as one line of JSON. */
import { createProvider } from "../../src/provider/provider.ts";

const [folder, secret] = process.argv.slice(2);
const provider = createProvider({
  data: folder!,
  secret: secret!,
  stay: true,
  warn: (text, stack) => {
    // How long a call took by the clock is told by the machine here, which others use too; tests/contract judges routes.
    if (!text.includes("held everybody up")) console.error(text, stack ?? "");
  },
  log: (entry) => {
    if (entry.fault) console.error(entry.op, entry.fault);
  },
});
await provider.listen();
console.log(JSON.stringify({ url: provider.url, apiKey: provider.apiKey }));
// An orphan ends with the test that made it.
process.stdin.resume();
process.stdin.on("end", () => process.exit());
