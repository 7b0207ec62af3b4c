/** What is bundled and under which licences: read from esbuild's metafile, written as one text and as an SPDX 2.3 document. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Metafile } from "esbuild";
import { root } from "./bundle.ts";

export interface Bundled {
  name: string;
  version: string;
  license: string;
  /** The full licence text, with notices. */
  text: string;
}

const read = (...segments: string[]): string => readFileSync(path.resolve(root, ...segments), "utf8");
const manifest = (folder: string): Omit<Bundled, "text"> =>
  JSON.parse(read(folder, "package.json")) as Omit<Bundled, "text">;

/** Licences that require only their text; packages under others are not bundled without a decision. */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

/** The package folder of an input of the metafile; undefined for this project's files and for stubs. */
const folderOf = (input: string): string | undefined =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];

/** Licence and notices of a package; scripts/licenses/ has the text of packages published without one. */
function textOf(folder: string, name: string): string {
  const files = readdirSync(path.resolve(root, folder))
    .filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file))
    .toSorted()
    .map((file) => path.resolve(root, folder, file));
  const ownFile = path.join(root, "scripts/licenses", `${name.replace("/", "-")}.txt`);
  if (files.length === 0 && existsSync(ownFile)) files.push(ownFile);
  if (files.length === 0) throw new Error(`${name} has no licence text: put it into ${ownFile}`);
  return files.map((file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n");
}

/** Every package with a file in the bundle, each version once, by name. Throws for one without a text or a permissive licence. */
export function bundledPackages(metafile: Metafile): Bundled[] {
  const folders = new Set(Object.keys(metafile.inputs).map(folderOf));
  const found = new Map<string, Bundled>();
  for (const folder of folders) {
    if (folder === undefined) continue;
    const { name, version, license } = manifest(folder);
    if (!PERMISSIVE.has(license)) throw new Error(`${name} ${version} is under ${license}: not bundled`);
    found.set(`${name}@${version}`, { name, version, license, text: textOf(folder, name) });
  }
  return [...found.keys()].toSorted().map((key) => found.get(key)!);
}

const RULE = "-".repeat(80);

/** The licence text distributed with the bundle. */
export function licenseTexts(packages: readonly Bundled[]): string {
  const head = `Parley's program files contain the following ${packages.length} packages, each under its own licence.`;
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  return [head, ...parts, read("scripts/licenses/map-data.txt").trim()].join(`\n\n${RULE}\n\n`) + "\n";
}

type Named = Pick<Bundled, "name" | "version">;
const idOf = ({ name, version }: Named): string =>
  `SPDXRef-Package-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.]+/g, "-")}`;

/** As a package URL: a scope's @ is escaped. */
const purl = ({ name, version }: Named): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function copyrightOf(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => /^\W*copyright (?!notice|holder|owner|license)/i.test(line));
  return lines.length > 0 ? lines.map((line) => line.trim()).join("\n") : "NOASSERTION";
}

const spdxPackage = (item: Bundled) => ({
  SPDXID: idOf(item),
  name: item.name,
  versionInfo: item.version,
  downloadLocation: "NOASSERTION",
  filesAnalyzed: false,
  licenseConcluded: item.license,
  licenseDeclared: item.license,
  copyrightText: copyrightOf(item.text),
  externalRefs: [
    { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl(item) },
  ],
});

/** An SPDX 2.3 document (JSON) of the program and what it contains. `SOURCE_DATE_EPOCH` (seconds) makes it reproducible. */
export function spdxDocument(packages: readonly Bundled[], epoch = process.env.SOURCE_DATE_EPOCH) {
  const program = { ...manifest("."), text: read("LICENSE") };
  const all = [program, ...packages].map(spdxPackage);
  const digest = createHash("sha256").update(JSON.stringify(all)).digest("hex");
  const at = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `${program.name}-${program.version}`,
    documentNamespace: `https://spdx.org/spdxdocs/${program.name}-${program.version}-${digest}`,
    creationInfo: {
      created: at.toISOString().replace(/\.\d+Z$/, "Z"),
      creators: ["Tool: scripts/licenses.ts"],
    },
    packages: all,
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: idOf(program) },
      ...packages.map((item) => ({
        spdxElementId: idOf(program),
        relationshipType: "CONTAINS",
        relatedSpdxElement: idOf(item),
      })),
    ],
  };
}
