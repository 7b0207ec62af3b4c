/** Prints the lists of the formats of other services, from the folders of `src/jobs/foreign/` that have a `format.ts`. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { ForeignFormat } from "../src/jobs/foreign/base/format.ts";

const FOLDER = path.resolve(import.meta.dirname, "../src/jobs/foreign");

/** The list of readers, and what commands and help say of them. */
export async function formatTables(): Promise<{ readers: string; words: string }> {
  const names = readdirSync(FOLDER).filter(
    (name) => existsSync(path.join(FOLDER, name, "format.ts")) && name !== "base",
  );
  const rows: string[] = [];
  for (const name of names.toSorted()) {
    const { default: format } = (await import(path.join(FOLDER, name, "format.ts"))) as {
      default: ForeignFormat;
    };
    const { title, reads, help } = format;
    rows.push(`  ${name}: ${JSON.stringify({ title, reads, help })},`);
  }
  return {
    readers: `/** Every format of this folder, printed from its folders (npm run docs). */
${names.map((name) => `import ${name} from "./${name}/format.ts";`).join("\n")}

export const FORMATS = { ${names.join(", ")} };
`,
    words: `/** What is said of every format of \`jobs/foreign\`, printed from its folders (npm run docs). */
export const FOREIGN_FORMATS = {
${rows.join("\n")}
};
`,
  };
}
