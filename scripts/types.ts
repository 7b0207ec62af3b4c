/** Writes the types of the package's `./core` beside the bundle: the declarations of its entry and what they name, and no more. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ENTRY = "core/index.d.ts";
const COMPILER = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

/** What a declaration file names of others: `./state.ts` stands for the declarations beside it. */
const named = (text: string): string[] =>
  [...text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g)].map((found) => `${found[1]}.d.ts`);

/** Makes `<outdir>/types`. Throws with the compiler's words when a type of the package cannot be written down. */
export function writeTypes(outdir: string): void {
  const all = mkdtempSync(path.join(tmpdir(), "parley-types-"));
  try {
    const project = path.join(import.meta.dirname, "types.tsconfig.json");
    execFileSync(process.execPath, [COMPILER, "-p", project, "--outDir", all], { stdio: "inherit" });
    const found = new Set([ENTRY]);
    for (const file of found) {
      const text = readFileSync(path.join(all, file), "utf8");
      for (const other of named(text)) found.add(path.posix.join(path.posix.dirname(file), other));
      const to = path.join(outdir, "types", file);
      mkdirSync(path.dirname(to), { recursive: true });
      copyFileSync(path.join(all, file), to);
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}
