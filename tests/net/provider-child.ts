/** The embedded provider in a process of its own, for tests that kill it: prints its address and key as one line of JSON. */
import { createProvider } from "../../src/provider/provider.ts";

const [folder, secret] = process.argv.slice(2);
const provider = createProvider({
  data: folder!,
  secret: secret!,
  stay: true,
  warn: (text) => console.error(text),
  log: (entry) => {
    if (entry.fault) console.error(entry.op, entry.fault);
  },
});
await provider.listen();
console.log(JSON.stringify({ url: provider.url, apiKey: provider.apiKey }));
// An orphan ends with the test that made it.
process.stdin.resume();
process.stdin.on("end", () => process.exit());
