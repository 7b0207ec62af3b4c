/** The licences and the SPDX list of the built program name every bundled package, and no other. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleOptions } from "../../scripts/bundle.ts";
import { bundledPackages, licenseTexts, spdxDocument, type Bundled } from "../../scripts/licenses.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const shipped = (name: string): string => readFileSync(path.join(ROOT, "dist", name), "utf8");

/** `name@version` of every bundled package, read from the package's own package.json. */
let inputs: string[];
let packages: Bundled[];
beforeAll(async () => {
  const { metafile } = await build({ ...bundleOptions("unwritten"), write: false });
  packages = bundledPackages(metafile);
  const folders = Object.keys(metafile.inputs).flatMap((input) => {
    const parts = input.split("/");
    const at = parts.lastIndexOf("node_modules");
    return at < 0 ? [] : [parts.slice(0, at + (parts[at + 1]!.startsWith("@") ? 3 : 2)).join("/")];
  });
  const names = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(
      readFileSync(path.join(ROOT, folder, "package.json"), "utf8"),
    ) as Bundled;
    return `${name}@${version}`;
  });
  inputs = [...new Set(names)].toSorted();
});

describe("THIRD-PARTY-LICENSES.txt", () => {
  test("has a part for each bundled package and no other", () => {
    const heads = [...shipped("THIRD-PARTY-LICENSES.txt").matchAll(/^-{80}\n\n(\S+) (\S+) \(.+\)$/gm)];
    expect(inputs.length).toBeGreaterThan(50);
    expect(heads.map(([, name, version]) => `${name}@${version}`).toSorted()).toEqual(inputs);
  });

  test("is up to date", () => {
    expect(shipped("THIRD-PARTY-LICENSES.txt")).toBe(licenseTexts(packages));
  });

  test("contains a permissive licence's full text for each package", () => {
    // Each text grants permission and disclaims warranty.
    for (const { name, license, text } of packages) {
      expect(text, name).toMatch(
        /Permission is hereby granted|Permission to use, copy, modify|Redistribution and use/,
      );
      expect(text, name).toMatch(/"AS IS"|“AS IS”|'AS IS'/i);
      expect(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause"], name).toContain(license);
    }
  });

  test.each([
    ["highlight.js", "BSD-3-Clause", "Ivan Sagalaev"],
    ["ink", "MIT", "Vadym Demedes"],
    ["semver", "ISC", "Isaac Z. Schlueter"],
    ["entities", "BSD-2-Clause", "Felix Böhm"],
    // This package is published without a licence file: the text is in scripts/licenses.
    ["yoga-layout", "MIT", "Meta Platforms"],
    // This package has a notice in addition to the licence.
    ["es-toolkit", "MIT", "OpenJS Foundation"],
  ])("contains %s with its licence (%s) and its holder", (name, license, holder) => {
    const found = packages.find((each) => each.name === name);
    expect(found).toMatchObject({ license, text: expect.stringContaining(holder) as string });
  });
});

describe("the build stops at", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-licenses-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The metafile of a bundle with one file of a package that has this licence but no licence file. */
  function bundleWith(name: string, license?: string): Metafile {
    const place = path.join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", license }));
    return { inputs: { [path.join(place, "index.js")]: { bytes: 1, imports: [] } }, outputs: {} };
  }

  test("a package without a permissive licence", () => {
    expect(() => bundledPackages(bundleWith("copyleft", "GPL-3.0-only"))).toThrow(
      "copyleft 1.0.0 is under GPL-3.0-only: not bundled",
    );
    expect(() => bundledPackages(bundleWith("nameless"))).toThrow("nameless 1.0.0 is under undefined");
  });

  test("a package without a licence text", () => {
    expect(() => bundledPackages(bundleWith("silent", "MIT"))).toThrow("silent has no licence text");
  });
});

describe("bundled.spdx.json", () => {
  let document: ReturnType<typeof spdxDocument>;
  beforeAll(() => {
    document = JSON.parse(shipped("bundled.spdx.json")) as typeof document;
  });

  test("is an SPDX 2.3 document with all required fields", () => {
    expect(document).toMatchObject({
      spdxVersion: "SPDX-2.3",
      dataLicense: "CC0-1.0",
      SPDXID: "SPDXRef-DOCUMENT",
      name: expect.stringMatching(/^parley-chat-\d/) as string,
      documentNamespace: expect.stringMatching(/^https:\/\/[^#\s]+$/) as string,
    });
    expect(document.creationInfo.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(document.creationInfo.creators).toEqual([expect.stringMatching(/^Tool: /)]);
    for (const each of document.packages) {
      expect(each.SPDXID).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
      expect(each.downloadLocation).toBe("NOASSERTION");
      expect(each.licenseConcluded).toBe(each.licenseDeclared);
      expect(each.copyrightText).not.toBe("");
      expect(each.externalRefs[0]!.referenceLocator).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    }
    expect(new Set(document.packages.map((each) => each.SPDXID)).size).toBe(document.packages.length);
  });

  test("describes the program, which contains each bundled package and no other", () => {
    const [program, ...bundled] = document.packages;
    expect(program).toMatchObject({ name: "parley-chat", licenseDeclared: "MIT" });
    expect(bundled.map((each) => `${each.name}@${each.versionInfo}`).toSorted()).toEqual(inputs);
    expect(document.relationships).toEqual([
      {
        spdxElementId: "SPDXRef-DOCUMENT",
        relationshipType: "DESCRIBES",
        relatedSpdxElement: program!.SPDXID,
      },
      ...bundled.map((each) => ({
        spdxElementId: program!.SPDXID,
        relationshipType: "CONTAINS",
        relatedSpdxElement: each.SPDXID,
      })),
    ]);
  });

  test("is the same for the same time", () => {
    expect(spdxDocument(packages, "1700000000")).toEqual(spdxDocument(packages, "1700000000"));
    expect(spdxDocument(packages, "1700000000").creationInfo.created).toBe("2023-11-14T22:13:20Z");
  });
});
