/** Runs the embedded provider in a separate process, for tests that kill it: prints its address and key as one line of JSON. */
import { createProvider } from "../../src/provider/provider.ts";

const [folder, secret] = process.argv.slice(2);
const provider = createProvider({
  data: folder!,
  secret: secret!,
  stay: true,
  warn: (text, stack) => {
    // Ignores reports of slow calls, which depend on the load of the machine; tests/contract checks the routes.
    if (!text.includes("blocked every other call")) console.error(text, stack ?? "");
  },
  log: (entry) => {
    if (entry.fault) console.error(entry.op, entry.fault);
  },
});
await provider.listen();
console.log(JSON.stringify({ url: provider.url, apiKey: provider.apiKey }));
// Ends when the test that started it ends and stdin closes.
process.stdin.resume();
process.stdin.on("end", () => process.exit());
