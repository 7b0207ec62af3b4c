// Builds dist/ after an install from source; does nothing without the sources or the tools.
import { existsSync } from "node:fs";

if (
  existsSync(new URL("../src/main.ts", import.meta.url)) &&
  existsSync(new URL("../node_modules/esbuild", import.meta.url))
) {
  await import("./build.ts");
}
