#!/usr/bin/env node
// The launcher: in syntax that old Node versions can parse; enables the compile cache and imports the bundle.
import module from "node:module";
import { fileURLToPath } from "node:url";

// Required, not imported: importing a built-in module reads all its exports, which would double the time of this file.
const require = module.createRequire(import.meta.url);
const { existsSync, readFileSync } = require("node:fs");

const here = function (relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
};
const argv = process.argv.slice(2);
const NEEDED = "Parley needs Node 24.15 or newer; this is Node " + process.versions.node + ".\n";

const isNewEnough = function (version) {
  const parts = version.split(".").map(Number);
  return parts[0] > 24 || (parts[0] === 24 && parts[1] >= 15);
};

const refuse = function (text) {
  process.stderr.write(text);
  process.exitCode = 1;
};

/** Runs the same arguments with another Node, with the same streams, and exits as it exits. */
const runWith = function (node) {
  const child = require("node:child_process").spawn(node, [here("./parley.js")].concat(argv), {
    stdio: "inherit",
    env: Object.assign({}, process.env, { PARLEY_REEXEC: "1" }),
  });
  // A terminal sends Ctrl-C and SIGHUP to both processes, and a second one would force an exit, so those are not forwarded.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const signals = ["SIGINT", "SIGHUP", "SIGTERM"];
  const listeners = signals.map(function (name) {
    const listener = function () {
      if (name === "SIGTERM" || !onTerminal) child.kill(name);
    };
    process.on(name, listener);
    return listener;
  });
  child.on("error", function () {
    refuse(NEEDED);
  });
  child.on("exit", function (code, signal) {
    signals.forEach(function (name, n) {
      process.off(name, listeners[n]);
    });
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
};

const start = async function () {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.on("error", function (error) {
      if (error.code === "EPIPE") return;
      process.stderr.write("error: standard output cannot be written: " + error.code + "\n");
      process.exitCode = 12;
    });
    process.stdout.write(JSON.parse(readFileSync(here("../package.json"), "utf8")).version + "\n");
    return;
  }
  const isRerun = process.env.PARLEY_REEXEC === "1";
  // Programs that this one starts may be Parley again, under the old Node.
  delete process.env.PARLEY_REEXEC;
  // NO_COLOR takes precedence; with both set, Node would print a warning.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  if (!isNewEnough(process.versions.node)) {
    const own = here("../node_modules/node/bin/node");
    if (existsSync(own) && !isRerun) runWith(own);
    else refuse(NEEDED);
    return;
  }
  const bundle = new URL("../dist/main.js", import.meta.url);
  if (!existsSync(bundle)) {
    refuse("Parley is not built yet: run npm install, or npm run build, in its folder first.\n");
    return;
  }
  const before = require("./ahead.cjs");
  const codeCache = before.codeCache(process.env);
  if (codeCache) module.enableCompileCache(codeCache);
  const ahead = before.begin(argv, process.env);
  try {
    const main = await import(bundle.href);
    await main.main(argv, ahead);
  } finally {
    if (ahead) ahead.giveBack();
  }
};

await start();
