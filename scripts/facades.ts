/** Points imports at the file that holds what they ask for, where the file they name only passes it on. */
// Why: a chunk that was merged into another one leaves such a file behind under its own name, and each one that is loaded
// costs 0.3 ms; a send loaded eight.
// Upstream: a bundler that imports the merged chunk itself.
import path from "node:path";

const FACADE = /^(?:import"[^"]+";)*import\{([^}]*)\}from"([^"]+)";export\{([^}]*)\};?\s*$/;

/** `a as b,c` → [["a", "b"], ["c", "c"]]. */
const pairsOf = (list: string): [string, string][] =>
  list.split(",").map((one) => {
    const [from = "", as = from] = one.trim().split(" as ");
    return [from, as];
  });

interface Facade {
  /** Name of the file that is behind it, without folders. */
  from: string;
  /** The members of an object that has what the facade exports, taken of a module `e`. */
  members: string;
}

function facadeIn(code: string): Facade | undefined {
  const [, imported, from, exported] = FACADE.exec(code) ?? [];
  if (imported === undefined || from === undefined || exported === undefined) return undefined;
  const there = new Map(pairsOf(imported).map(([name, as]) => [as, name]));
  const members = pairsOf(exported).map(([own, as]) => `${as}:e.${there.get(own)!}`);
  return { from: path.basename(from), members: members.join(",") };
}

/**
 * The same files without those among `dynamic` that only pass names on; `files` are texts by their paths, all chunks in one
 * folder. Who imported such a one gets an object with the same names.
 */
export function withoutFacades(
  files: ReadonlyMap<string, string>,
  dynamic: ReadonlySet<string>,
): Map<string, string> {
  const facades = new Map<string, Facade>();
  const named = [...files.values()].join("\n");
  for (const file of dynamic) {
    // Only what is imported lazily and never by a statement may go.
    if (named.includes(`/${path.basename(file)}"`)) continue;
    const facade = facadeIn(files.get(file) ?? "");
    if (facade) facades.set(path.basename(file), facade);
  }
  const left = [...files].filter(([file]) => !facades.has(path.basename(file)));
  const through = (all: string, folder: string, name: string): string => {
    const facade = facades.get(name);
    return facade ? `import(\`${folder}${facade.from}\`).then(e=>({${facade.members}}))` : all;
  };
  return new Map(
    left.map(([file, code]) => [file, code.replace(/\bimport\(`([^`]*\/)([^`/]+)`\)/g, through)]),
  );
}
