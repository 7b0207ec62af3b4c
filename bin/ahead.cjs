/** Prepares a start before the program is loaded: the cache of compiled code, the keyboard, the last frame, and the terminal as it was. */
"use strict";
const fs = require("node:fs");
const path = require("node:path");

/** Older frames are not shown, ms. */
const MAX_AGE_MS = 7 * 86_400_000;
/** Bigger frame files are ignored, bytes. */
const MAX_BYTES = 1_000_000;
/** Environment variables that a frame depends on, besides size, profile and settings. */
const VARIABLES = [
  "TERM",
  "COLORTERM",
  "TERM_PROGRAM",
  "NO_COLOR",
  "FORCE_COLOR",
  "CLICOLOR",
  "TMUX",
  "TZ",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LC_TIME",
];

/** Whether the arguments open the screen: none, or `chat` with at most a channel. */
const opensScreen = function (argv) {
  return argv.length === 0 || (argv[0] === "chat" && argv.length <= 2 && !(argv[1] || "").startsWith("-"));
};

/** One of the program's folders, by the rule of src/config/paths.ts. */
const folder = function (env, name, fallback) {
  const set = env[name];
  const base =
    set && path.isAbsolute(set) ? set : path.join(env.HOME || require("node:os").homedir(), fallback);
  return path.join(base, "parley");
};

/** A short hash of a text. */
const digest = function (text, seed) {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
};

/** Whether a project file applies, which may choose another profile or other settings. */
const inProject = function (from) {
  for (let dir = from; ; dir = path.dirname(dir)) {
    if (fs.existsSync(path.join(dir, ".parley.json"))) return true;
    if (path.dirname(dir) === dir) return false;
  }
};

/** The text of the config file, or "". */
const readConfig = function (env) {
  try {
    return fs.readFileSync(path.join(folder(env, "XDG_CONFIG_HOME", ".config"), "config.json"), "utf8");
  } catch {
    return "";
  }
};

/** Changes when the embedded provider's data are erased: its frame must not be shown for those that follow. */
const providerSince = function (env) {
  const data =
    env.PARLEY_LOCAL_DATA || path.join(folder(env, "XDG_DATA_HOME", path.join(".local", "share")), "local");
  const stats = fs.statSync(path.join(data, "secret"), { throwIfNoEntry: false });
  return stats ? [stats.ino, stats.mtimeMs] : [];
};

/**
 * The frame file for a screen of this size and the profile of a start without arguments; `key` is its
 * first line. Undefined if no frame is stored: in a project, or with a secret in the environment.
 */
const frameOf = function (env, columns, rows, since) {
  const own = Object.keys(env).filter((name) => name.startsWith("PARLEY_") && name !== "PARLEY_STATS");
  if (env.CI || own.some((name) => /TOKEN|SECRET|API_KEY/.test(name)) || inProject(process.cwd()))
    return undefined;
  const config = readConfig(env);
  const { settings, current } = config === "" ? {} : JSON.parse(config);
  const profile = env.PARLEY_PROFILE || (settings && settings.profile) || current || "local";
  if (!/^[\w.-]+$/.test(profile)) return undefined;
  const variables = VARIABLES.concat(own.toSorted()).map((name) => [name, env[name]]);
  const text = JSON.stringify([1, columns, rows, profile, variables, config, since]);
  const below = path.join(folder(env, "XDG_CACHE_HOME", ".cache"), profile.replaceAll(".", "%2e"), ".frames");
  return { file: path.join(below, digest(text, 0)), key: digest(text, 1), profile };
};

/** The rows of the last frame, ready to be written. */
const lastFrame = function (env, since) {
  try {
    const frame = frameOf(env, process.stdout.columns, process.stdout.rows, since);
    if (!frame) return undefined;
    const { mtimeMs, size } = fs.statSync(frame.file);
    if (size > MAX_BYTES || Date.now() - mtimeMs > MAX_AGE_MS) return undefined;
    const text = fs.readFileSync(frame.file, "utf8");
    return text.startsWith(frame.key + "\n") ? text.slice(frame.key.length + 1) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The folder for compiled code, created if needed, or undefined if others could write to it: what it holds is run without another
 * look, and Node's own choice is a shared place below the temporary folder (specification/storage.md §3).
 */
exports.codeCache = function (env) {
  const place = path.join(folder(env, "XDG_CACHE_HOME", ".cache"), ".code");
  try {
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    const stats = fs.lstatSync(place);
    const isOwn = !process.getuid || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    return stats.isDirectory() && isOwn ? place : undefined;
  } catch {
    return undefined;
  }
};

const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Captures the keyboard for a screen that is about to start, so that nothing typed meanwhile is echoed, changed by the line
 * discipline or lost; Ctrl-C exits. Draws the last frame if there is one. Undefined if no screen will start.
 */
exports.begin = function (argv, env) {
  if (!opensScreen(argv) || env.TERM === "dumb" || process.platform === "win32") return undefined;
  const tty = require("node:tty");
  if (!tty.isatty(0) || !tty.isatty(1)) return undefined;
  const { stdin } = process;
  const typed = [];
  let isCapturing = true;
  let hasDrawn = false;

  const take = function () {
    if (!isCapturing) return false;
    isCapturing = false;
    stdin.off("data", onData);
    stdin.pause();
    for (const name of Object.keys(ENDING)) process.off(name, onSignal);
    if (typed.length > 0) stdin.unshift(Buffer.concat(typed));
    return hasDrawn;
  };
  const giveBack = function () {
    if (!isCapturing) return;
    take();
    try {
      if (hasDrawn) fs.writeSync(1, "\x1b[?7h\x1b[?1049l\x1b[?25h");
      stdin.setRawMode(false);
    } catch {
      // The terminal has gone, so there is nothing to restore.
    }
  };
  const onData = function (chunk) {
    typed.push(chunk);
    if (chunk.includes(3)) onSignal("SIGINT");
  };
  const onSignal = function (signal) {
    giveBack();
    process.exit(ENDING[signal]);
  };

  stdin.setRawMode(true);
  const before = providerSince(env);
  const frame = argv.length === 0 ? lastFrame(env, before) : undefined;
  if (frame !== undefined) {
    hasDrawn = true;
    for (const name of Object.keys(ENDING)) process.once(name, onSignal);
    process.once("exit", giveBack);
    fs.writeSync(1, "\x1b[?1049h\x1b[?25l\x1b[?7l" + frame);
  }
  stdin.on("data", onData);
  const frameFile = function (columns, rows) {
    const since = providerSince(env);
    const isErased = before.length > 0 && String(before) !== String(since);
    return argv.length === 0 && !isErased ? frameOf(env, columns, rows, since) : undefined;
  };
  return { take, giveBack, frameFile };
};
