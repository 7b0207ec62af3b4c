/** Puts the built program and Node into one file, dist-executable/parley, for machines without Node: Node's own single-executable build. */
// Its starter (executable/boot.cjs) writes the files once below the user's cache, into a folder named by their hash, and runs the
// launcher from there, so threads, WebAssembly and native parts find their files as in the package. The first start takes 0.4 s,
// later ones take as long as those of the package.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { constants, zstdCompressSync } from "node:zlib";
import { root } from "./bundle.ts";
import { runFiles } from "./executable/parts.ts";

/** CommonJS without types. */
const { inject } = createRequire(import.meta.url)("postject") as {
  inject(file: string, name: string, blob: Buffer, how: object): Promise<void>;
};

/** Node looks for the program after this marker, and runs it only if the marker is enabled. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

interface Packed {
  name: string;
  bytes: number;
  mode: number;
}

function pack(): { index: Packed[]; all: Buffer } {
  const names = runFiles();
  const texts = names.map((name) => readFileSync(path.join(root, name)));
  const index = names.map((name, i) => ({
    name,
    bytes: texts[i]!.length,
    mode: name === "bin/parley" ? 0o700 : 0o600,
  }));
  return { index, all: Buffer.concat(texts) };
}

/** The blob that Node makes of the boot script and the files. Throws with Node's error text. */
function blobOf(temporaryFolder: string): Buffer {
  const { index, all } = pack();
  const hash = createHash("sha256").update(JSON.stringify(index)).update(all).digest("hex").slice(0, 16);
  const assets = {
    hash,
    index: JSON.stringify(index),
    files: zstdCompressSync(all, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }),
  };
  const config = {
    main: path.join(import.meta.dirname, "executable/boot.cjs"),
    output: path.join(temporaryFolder, "blob"),
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS of the environment are meant for another Node.
    execArgvExtension: "none",
    assets: Object.fromEntries(Object.keys(assets).map((name) => [name, path.join(temporaryFolder, name)])),
  };
  for (const [name, content] of Object.entries(assets))
    writeFileSync(path.join(temporaryFolder, name), content);
  writeFileSync(path.join(temporaryFolder, "config.json"), JSON.stringify(config));
  const built = spawnSync(
    process.execPath,
    ["--experimental-sea-config", path.join(temporaryFolder, "config.json")],
    {
      encoding: "utf8",
    },
  );
  if (built.status !== 0) throw new Error(`Node made no blob: ${built.stderr}`);
  return readFileSync(config.output);
}

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out =
  values.out ?? path.join(root, "dist-executable", process.platform === "win32" ? "parley.exe" : "parley");
const temporaryFolder = mkdtempSync(path.join(tmpdir(), "parley-executable-"));
try {
  const blob = blobOf(temporaryFolder);
  mkdirSync(path.dirname(out), { recursive: true });
  // Written to a separate file first, because the old one may be running.
  const executable = path.join(temporaryFolder, "parley");
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  const onMac = process.platform === "darwin";
  if (onMac) spawnSync("codesign", ["--remove-signature", executable]);
  await inject(executable, "NODE_SEA_BLOB", blob, {
    sentinelFuse: FUSE,
    ...(onMac ? { machoSegmentName: "NODE_SEA" } : {}),
  });
  if (onMac) spawnSync("codesign", ["--sign", "-", executable]);
  rmSync(out, { force: true });
  copyFileSync(executable, out);
  process.stdout.write(`${out}: ${Math.round(statSync(out).size / 1e6)} MB, Node ${process.versions.node}\n`);
} finally {
  rmSync(temporaryFolder, { recursive: true, force: true });
}
