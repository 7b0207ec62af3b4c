/** The law of the house: who may import whom, what stays behind ports, and how files begin. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const SRC = path.resolve(import.meta.dirname, "../src");

interface Import {
  from: string;
  /** Absolute for files of ours, the bare name for packages. */
  to: string;
  ours: boolean;
  typeOnly: boolean;
  lazy: boolean;
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name));

const text = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const source = text
    .get(file)!
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  const add = (to: string, typeOnly: boolean, lazy: boolean): void => {
    const ours = to.startsWith(".");
    found.push({ from: file, to: ours ? path.resolve(path.dirname(file), to) : to, ours, typeOnly, lazy });
  };
  for (const m of source.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']/gm,
  ))
    add(m[2]!, Boolean(m[1]), false);
  for (const m of source.matchAll(/(typeof\s+)?\bimport\(\s*["']([^"']+)["']\s*\)(\.[A-Z])?/g))
    add(m[2]!, Boolean(m[1] || m[3]), true);
  return found;
}

const all = files.flatMap(importsOf);
const relative = (file: string): string => path.relative(SRC, file);
const folderOf = (file: string): string => {
  const [first, ...rest] = relative(file).split(path.sep);
  return rest.length ? first! : path.basename(first!, ".ts");
};
const show = (i: Import): string =>
  `${relative(i.from)} → ${i.ours ? relative(i.to) : i.to}${i.typeOnly ? " (types)" : ""}${i.lazy ? " (lazy)" : ""}`;

/** Folder → folders it may import; "types of" only as `import type`, "lazy" only by `await import`. */
const LAW: Record<string, { value: string[]; types?: string[]; lazy?: string[] }> = {
  wire: { value: [] },
  text: { value: [] },
  config: { value: ["text", "model"] },
  model: { value: ["wire", "text"] },
  core: { value: ["wire", "text", "model"] },
  provider: { value: ["wire", "text", "model"] },
  jobs: { value: ["wire", "text", "model"], types: ["core"] },
  commands: { value: ["wire", "text", "model"], types: ["core"], lazy: ["jobs"] },
  cli: { value: ["commands", "config", "wire", "text", "model"], types: ["core", "main", "open"] },
  tui: { value: ["commands", "config", "wire", "text", "model"], types: ["core", "main", "open"] },
  open: { value: ["config", "wire", "model"], types: ["core", "provider"], lazy: ["core", "provider"] },
  main: {
    value: [],
    types: ["open", "cli", "tui", "config", "commands", "core"],
    lazy: ["open", "cli", "tui", "config"],
  },
};

describe("the import law", () => {
  for (const [folder, may] of Object.entries(LAW)) {
    test(`${folder} imports only what the house allows`, () => {
      const broken = all.filter((i) => {
        if (!i.ours || folderOf(i.from) !== folder) return false;
        const to = folderOf(i.to);
        if (to === folder || may.value.includes(to)) return false;
        if (i.typeOnly && may.types?.includes(to)) return false;
        return !(i.lazy && may.lazy?.includes(to));
      });
      expect(broken.map(show)).toEqual([]);
    });
  }

  test("no two folders import each other", () => {
    const edges = new Map<string, Set<string>>();
    for (const i of all)
      if (i.ours && !i.typeOnly && folderOf(i.from) !== folderOf(i.to))
        (edges.get(folderOf(i.from)) ?? edges.set(folderOf(i.from), new Set()).get(folderOf(i.from))!).add(
          folderOf(i.to),
        );
    const circles: string[] = [];
    const walk = (at: string, trail: string[]): void => {
      if (trail.includes(at)) return void circles.push([...trail, at].join(" → "));
      for (const next of edges.get(at) ?? []) walk(next, [...trail, at]);
    };
    for (const folder of edges.keys()) walk(folder, []);
    expect(circles).toEqual([]);
  });

  test("no files import each other's values in a circle", () => {
    const edges = new Map<string, string[]>();
    for (const i of all)
      if (i.ours && !i.typeOnly && !i.lazy) edges.set(i.from, [...(edges.get(i.from) ?? []), i.to]);
    expect(circlesOf(edges).map((circle) => circle.map(relative).join(" → "))).toEqual([]);
    expect(circlesOf(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual([["b", "c", "b"]]);
  });
});

/** Each circle once, as the first walk from the top meets it; a node that was left without one is not walked again. */
function circlesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const left = new Set<string>();
  const walk = (at: string, trail: string[]): void => {
    const before = trail.indexOf(at);
    if (before >= 0) return void circles.push([...trail.slice(before), at]);
    if (left.has(at)) return;
    for (const next of edges.get(at) ?? []) walk(next, [...trail, at]);
    left.add(at);
  };
  for (const node of edges.keys()) walk(node, []);
  return circles;
}

describe("packages stay where they belong", () => {
  const only = (pattern: RegExp, places: RegExp): string[] =>
    all
      .filter((i) => !i.ours && !i.typeOnly && pattern.test(i.to) && !places.test(relative(i.from)))
      .map(show);
  test("node:sqlite is opened only in core/store, provider/store and jobs", () => {
    expect(only(/^node:sqlite$/, /^(core\/store|provider\/store|jobs)\//)).toEqual([]);
  });
  test("React and Ink belong to the screen", () => expect(only(/^(react|ink)(\/|$)/, /^tui\//)).toEqual([]));
  test("commander belongs to the command line", () => expect(only(/^commander$/, /^cli\//)).toEqual([]));
  test("got belongs to core's adapters", () => expect(only(/^got$/, /^core\/adapters\//)).toEqual([]));
  test("ws belongs to core's adapters and the provider", () =>
    expect(only(/^ws$/, /^(core\/adapters|provider)\//)).toEqual([]));
  test("conf belongs to config", () => expect(only(/^conf$/, /^config\//)).toEqual([]));
});

describe("the outside world reaches core through ports", () => {
  const forbidden =
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bprocess\.|\bconsole\./;
  test("no clock, chance, process or console in core outside its adapters and stores", () => {
    const broken = files
      .filter((f) => folderOf(f) === "core" && !/^core\/(adapters|store)\//.test(relative(f)))
      .flatMap((f) =>
        text
          .get(f)!
          .split("\n")
          .map((line, n) => ({ line, at: `${relative(f)}:${n + 1}` }))
          .filter(
            ({ line }) =>
              forbidden.test(
                line.replace(/\/\/.*|^\s*\/?\*.*/, "").replace(/clock\.(setTimeout|clearTimeout)\(/g, ""),
              ) && !/^\s*setTimeout\(run/.test(line),
          )
          .map(({ at, line }) => `${at} ${line.trim()}`),
      );
    expect(broken).toEqual([]);
  });
  test("only main.ts ends the process", () => {
    const broken = files.filter(
      (f) =>
        relative(f) !== "main.ts" && /\bprocess\.exit\(/.test(text.get(f)!.replace(/\/\*[\s\S]*?\*\//g, "")),
    );
    expect(broken.map(relative)).toEqual([]);
  });
});

describe("how files look", () => {
  test("the first line of every file is one sentence", () => {
    expect(
      files.filter((f) => !/^\/\*\* [A-Z`].*[.:)]( \*\/)?$/.test(text.get(f)!.split("\n")[0]!)).map(relative),
    ).toEqual([]);
  });
  test("there are no drawers", () => {
    expect(
      files
        .filter((f) => /(^|\/)(utils?|helpers?|shared|common|misc|types)(\.tsx?$|\/)/.test(relative(f)))
        .map(relative),
    ).toEqual([]);
  });
});
