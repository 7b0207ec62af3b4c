/** Writes the types of the package's `./core`: the declarations of its entry and everything they refer to. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ENTRY = "core/index.d.ts";
const COMPILER = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

/** The files that a declaration file imports; `./state.ts` means the declarations of that file. */
const named = (text: string): string[] =>
  [...text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g)].map((found) => `${found[1]}.d.ts`);

/** Writes `<outdir>/types`. Throws with the compiler's output if a declaration cannot be generated. */
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
