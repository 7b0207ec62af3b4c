// Starts the executable for machines without Node: its files are unpacked once, then the launcher runs from there.
"use strict";
const {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require("node:fs");
const { homedir, tmpdir } = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { pathToFileURL } = require("node:url");

/** What no start has touched for so long belongs to a version that is gone; milliseconds. */
const FORGOTTEN = 30 * 86_400_000;

const hash = getAsset("hash", "utf8");

/** Where this user keeps what can be made again. */
function cacheFolder() {
  const { env } = process;
  const set = process.platform === "win32" ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  const base = set && path.isAbsolute(set) ? set : path.join(env.HOME || homedir(), ".cache");
  return path.join(base, "parley-executable");
}

/** Nobody else can have put anything there. */
function isOwn(folder) {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Every file of the package below `folder`. */
function unpack(folder) {
  const { zstdDecompressSync } = require("node:zlib");
  const all = zstdDecompressSync(Buffer.from(getRawAsset("files")));
  let at = 0;
  for (const { name, bytes, mode } of JSON.parse(getAsset("index", "utf8"))) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, all.subarray(at, at + bytes), { mode });
    at += bytes;
  }
}

/** Put in place at once, so that a start that was killed or one beside it never finds half of it. */
function placed(parent) {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  if (!isOwn(parent)) throw new Error(`${parent} belongs to somebody else`);
  const folder = path.join(parent, hash);
  if (!existsSync(folder)) {
    const aside = mkdtempSync(path.join(parent, ".new-"));
    try {
      unpack(aside);
      chmodSync(aside, 0o700);
      renameSync(aside, folder);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      // Another start was quicker.
      if (!existsSync(folder)) throw error;
    }
    sweep(parent);
  }
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

function sweep(parent) {
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (name !== hash && Date.now() - statSync(folder).mtimeMs > FORGOTTEN)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** The cache, or where that cannot be written a folder of this user among the temporary ones. */
function packageFolder() {
  try {
    return placed(cacheFolder());
  } catch {
    return placed(path.join(tmpdir(), `parley-executable-${process.getuid?.() ?? "user"}`));
  }
}

const start = () => {
  const launcher = path.join(packageFolder(), "bin/parley.js");
  // It starts itself as a script would be started, with the launcher in front.
  const given = process.argv.slice(process.argv[2] === launcher ? 3 : 2);
  process.argv = [process.execPath, launcher, ...given];
  return import(pathToFileURL(launcher).href);
};

try {
  start().catch(fail);
} catch (error) {
  fail(error);
}

function fail(error) {
  process.stderr.write(`error: Parley cannot unpack its files: ${error.message}\n`);
  process.exitCode = 12;
}
