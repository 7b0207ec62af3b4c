/** What the launcher does with the terminal before the program is loaded: it takes the keys, shows the last picture, and gives everything back. */
"use strict";
const fs = require("node:fs");
const path = require("node:path");

/** A picture older than this shows nobody where they were, milliseconds. */
const OLDEST = 7 * 86_400_000;
/** More is no picture of a screen, bytes. */
const LARGEST = 1_000_000;
/** What a picture depends on besides size, profile and settings. */
const NAMES = [
  "TERM",
  "COLORTERM",
  "TERM_PROGRAM",
  "NO_COLOR",
  "FORCE_COLOR",
  "CLICOLOR",
  "TMUX",
  "TZ",
  "LANG",
];

/** Arguments with which the screen starts: none, or a channel to open. Anything else may print, and asks in its own way. */
const opensScreen = function (argv) {
  return argv.length === 0 || (argv[0] === "chat" && argv.length <= 2 && !(argv[1] || "").startsWith("-"));
};

/** A folder of ours, by the rule of src/config/paths.ts. */
const folder = function (env, name, fallback) {
  const set = env[name];
  const base =
    set && path.isAbsolute(set) ? set : path.join(env.HOME || require("node:os").homedir(), fallback);
  return path.join(base, "parley");
};

/** A short name for a text. */
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

/** A project may choose another profile or other settings. */
const inProject = function (from) {
  for (let dir = from; ; dir = path.dirname(dir)) {
    if (fs.existsSync(path.join(dir, ".parley.json"))) return true;
    if (path.dirname(dir) === dir) return false;
  }
};

/** The user's settings as text, empty where there are none. */
const readConfig = function (env) {
  try {
    return fs.readFileSync(path.join(folder(env, "XDG_CONFIG_HOME", ".config"), "config.json"), "utf8");
  } catch {
    return "";
  }
};

/**
 * Where the picture of a screen of this size is kept, for the profile that a start without arguments takes; `key` is its
 * first line. Undefined where none is kept: in a project, and where the environment holds a secret.
 */
const frameOf = function (env, columns, rows) {
  const own = Object.keys(env).filter((name) => name.startsWith("PARLEY_") && name !== "PARLEY_STATS");
  if (env.CI || own.some((name) => /TOKEN|SECRET|API_KEY/.test(name)) || inProject(process.cwd()))
    return undefined;
  const config = readConfig(env);
  const { settings, current } = config === "" ? {} : JSON.parse(config);
  const profile = env.PARLEY_PROFILE || (settings && settings.profile) || current || "local";
  if (!/^[\w.-]+$/.test(profile)) return undefined;
  const said = NAMES.concat(own.toSorted()).map((name) => [name, env[name]]);
  const text = JSON.stringify([1, columns, rows, profile, said, config]);
  const below = path.join(folder(env, "XDG_CACHE_HOME", ".cache"), profile.replaceAll(".", "%2e"), ".frames");
  return { file: path.join(below, digest(text, 0)), key: digest(text, 1), profile };
};

/** The rows of the last picture, ready to be written. */
const remembered = function (env) {
  try {
    const frame = frameOf(env, process.stdout.columns, process.stdout.rows);
    if (!frame) return undefined;
    const { mtimeMs, size } = fs.statSync(frame.file);
    if (size > LARGEST || Date.now() - mtimeMs > OLDEST) return undefined;
    const text = fs.readFileSync(frame.file, "utf8");
    return text.startsWith(frame.key + "\n") ? text.slice(frame.key.length + 1) : undefined;
  } catch {
    return undefined;
  }
};

const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Takes the terminal for a screen that is about to start, so that nothing typed meanwhile is echoed, changed by the line
 * discipline or lost; Ctrl-C leaves. Draws the last picture where one is kept. Undefined where no screen will start.
 */
exports.begin = function (argv, env) {
  const tty = require("node:tty");
  if (!opensScreen(argv) || env.TERM === "dumb" || process.platform === "win32") return undefined;
  if (!tty.isatty(0) || !tty.isatty(1)) return undefined;
  const { stdin } = process;
  const typed = [];
  let held = true;
  let painted = false;

  const take = function () {
    if (!held) return false;
    held = false;
    stdin.off("data", heard);
    stdin.pause();
    for (const name of Object.keys(ENDING)) process.off(name, ended);
    if (typed.length > 0) stdin.unshift(Buffer.concat(typed));
    return painted;
  };
  const giveBack = function () {
    if (!held) return;
    take();
    try {
      if (painted) fs.writeSync(1, "\x1b[?7h\x1b[?1049l\x1b[?25h");
      stdin.setRawMode(false);
    } catch {
      // A terminal that is gone has nothing to be given back.
    }
  };
  const heard = function (chunk) {
    typed.push(chunk);
    if (chunk.includes(3)) ended("SIGINT");
  };
  const ended = function (signal) {
    giveBack();
    process.exit(ENDING[signal]);
  };

  stdin.setRawMode(true);
  const frame = argv.length === 0 ? remembered(env) : undefined;
  if (frame !== undefined) {
    painted = true;
    for (const name of Object.keys(ENDING)) process.once(name, ended);
    process.once("exit", giveBack);
    fs.writeSync(1, "\x1b[?1049h\x1b[?25l\x1b[?7l" + frame);
  }
  stdin.on("data", heard);
  const frameFile = function (columns, rows) {
    return argv.length === 0 ? frameOf(env, columns, rows) : undefined;
  };
  return { take, giveBack, frameFile };
};
