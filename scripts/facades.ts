/** Rewrites imports of files that only re-export, so that they load the defining file directly. */
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
  /** Name of the re-exported file, without folders. */
  from: string;
  /** Object members for the exports of the facade, taken from a module `e`. */
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
 * Removes the files among `dynamic` that only re-export; `files` are texts by path, all chunks in one
 * folder. Who imported such a one gets an object with the same names.
 */
export function withoutFacades(
  files: ReadonlyMap<string, string>,
  dynamic: ReadonlySet<string>,
): Map<string, string> {
  const facades = new Map<string, Facade>();
  const named = [...files.values()].join("\n");
  for (const file of dynamic) {
    // Only files that are imported lazily, and never by a statement, may be removed.
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
