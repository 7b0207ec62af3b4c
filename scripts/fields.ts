/** Prints src/cli/output/shapes.ts: the result fields of each command, read from the types by the compiler. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { commands } from "../src/commands/table.gen.ts";

const COMPILER = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
const ROOT = path.resolve(import.meta.dirname, "..");

/** A program for which the compiler prints the keys of each result as a union; a result with arbitrary keys includes `*`. */
const program = (paths: readonly string[]): string => `
import type { Command } from "${ROOT}/src/commands/base/define-command.ts";
declare function names<R>(command: Command<any, R>): R extends object
  ? keyof { [K in keyof R as string extends K ? "*" : K]: 1 } extends infer Name
    ? \`\${Name & string}\`
    : never
  : never;
import type { EventEnvelope, EventMap } from "${ROOT}/src/wire/events.ts";
type Sent = Exclude<keyof EventEnvelope, "received_at"> | "type";
declare function eventNames<M>(): (M[keyof M] extends infer E ? (E extends E ? keyof E | Sent : never) : never) extends infer Name
  ? \`\${Name & string}\`
  : never;
export const c${paths.length} = eventNames<EventMap>();
${paths.map((name, i) => `import d${i} from "${ROOT}/src/commands/${name.replaceAll(" ", "/")}.ts";\nexport const c${i} = names(d${i});`).join("\n")}
`;

/** Field names by command. Throws with the compiler's output. */
function fieldsByCommand(): [string, string[]][] {
  const paths = commands.paths;
  /** The commands of the last declaration. */
  const events = "tail, event listen";
  const folder = mkdtempSync(path.join(tmpdir(), "parley-fields-"));
  try {
    writeFileSync(path.join(folder, "all.ts"), program(paths));
    const project = {
      extends: path.join(ROOT, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: "out",
        rootDir: path.parse(ROOT).root,
        typeRoots: [path.join(ROOT, "node_modules/@types")],
        noErrorTruncation: true,
      },
      include: [],
      files: ["all.ts"],
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(project));
    // The compiler reports errors about names in other files, which do not affect the output read here.
    spawnSync(process.execPath, [COMPILER, "-p", folder]);
    const text = readFileSync(path.join(folder, "out", folder, "all.d.ts"), "utf8");
    return [...text.matchAll(/export declare const c(\d+): ([^;]+);/g)].map(([, i, names]) => [
      paths[Number(i)] ?? events,
      [...names!.matchAll(/"([^"]+)"/g)].map((found) => found[1]!),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Field lists with the commands that have them. */
function shapes(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, names] of fieldsByCommand()) {
    const shape = names.filter((one) => one !== "*" && one !== "duration").join(" ");
    if (shape !== "") found.set(shape, [...(found.get(shape) ?? []), name]);
  }
  return found;
}

export function fieldsPage(): string {
  const lines = [...shapes()].map(([shape, names]) => `${names.join(", ")}: ${shape}`);
  return `/** The fields of what commands give, printed from the types (npm run docs): read by \`fields.ts\`. */

/** A line for each shape: the commands that give it, and its fields. */
export const SHAPES = \`
${lines.join("\n")}
\`;
`;
}
