/** Bundles the program and its core into dist/, with the core's types, the licences and the list of what is in it. */
import { build } from "esbuild";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleOptions, root } from "./bundle.ts";
import { bundledPackages, licenseTexts, spdxDocument } from "./licenses.ts";
import { writeMan } from "./man.ts";
import { mergeChunks } from "./merge-chunks.ts";
import { writeTypes } from "./types.ts";

// Built in a separate folder and renamed, so that a running program never finds half a build.
const stagingFolder = path.join(root, `dist.${process.pid}`);
const chunksFolder = `${stagingFolder}.parts`;
const { metafile } = await build(bundleOptions(chunksFolder));
await mergeChunks(chunksFolder, stagingFolder, metafile);
rmSync(chunksFolder, { recursive: true });
const packages = bundledPackages(metafile);
writeFileSync(path.join(stagingFolder, "THIRD-PARTY-LICENSES.txt"), licenseTexts(packages));
writeFileSync(
  path.join(stagingFolder, "bundled.spdx.json"),
  `${JSON.stringify(spdxDocument(packages), undefined, 2)}\n`,
);
writeTypes(stagingFolder);
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
writeMan(stagingFolder, version);
copyFileSync(path.join(root, "src/atlas/atlas.bin"), path.join(stagingFolder, "atlas.bin"));

const dist = path.join(root, "dist");
const old = `${stagingFolder}.old`;
if (existsSync(dist)) renameSync(dist, old);
renameSync(stagingFolder, dist);
rmSync(old, { recursive: true, force: true });
