// Builds dist/ after an install from source, and does nothing where the sources or the tools are absent.
import { existsSync } from "node:fs";

if (
  existsSync(new URL("../src/main.ts", import.meta.url)) &&
  existsSync(new URL("../node_modules/esbuild", import.meta.url))
) {
  await import("./build.ts");
}
