// Starts the single-file executable: unpacks its files once, then runs the launcher from there.
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

/** Unpacked versions not used for this long are deleted, ms. */
const FORGOTTEN = 30 * 86_400_000;

const hash = getAsset("hash", "utf8");

/** The user's cache folder. */
function cacheFolder() {
  const { env } = process;
  const set = process.platform === "win32" ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  const base = set && path.isAbsolute(set) ? set : path.join(env.HOME || homedir(), ".cache");
  return path.join(base, "parley-executable");
}

/** Whether only this user can write to the folder. */
function isOwn(folder) {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Writes every file of the package below `folder`. */
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

/** Unpacks to a separate folder and renames it, so that a killed or concurrent start never finds half of it. */
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
      // A concurrent start was faster.
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

/** The cache folder, or a private temporary folder if that is not writable. */
function packageFolder() {
  try {
    return placed(cacheFolder());
  } catch {
    return placed(path.join(tmpdir(), `parley-executable-${process.getuid?.() ?? "user"}`));
  }
}

const start = () => {
  const launcher = path.join(packageFolder(), "bin/parley.js");
  // When the program starts itself as a script, the launcher is the first argument.
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
