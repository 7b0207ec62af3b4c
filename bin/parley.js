#!/usr/bin/env node
// The launcher: plain syntax that an old Node can still read, compile cache on, then the bundle.
import { existsSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import module from "node:module";
import { fileURLToPath } from "node:url";

const here = function (relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
};
const argv = process.argv.slice(2);

const newEnough = function (version) {
  const parts = version.split(".").map(Number);
  return parts[0] > 24 || (parts[0] === 24 && parts[1] >= 15);
};

const start = async function () {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(JSON.parse(readFileSync(here("../package.json"), "utf8")).version + "\n");
    return;
  }
  if (!newEnough(process.versions.node)) {
    const own = here("../node_modules/node/bin/node");
    if (existsSync(own) && process.env.PARLEY_REEXEC !== "1") {
      const ran = spawnSync(own, [here("./parley.js")].concat(argv), {
        stdio: "inherit",
        env: Object.assign({}, process.env, { PARLEY_REEXEC: "1" }),
      });
      if (!ran.error) {
        if (ran.signal) process.kill(process.pid, ran.signal);
        process.exitCode = ran.status === null ? 1 : ran.status;
        return;
      }
    }
    process.stderr.write("Parley needs Node 24.15 or newer; this is Node " + process.versions.node + ".\n");
    process.exitCode = 1;
    return;
  }
  // What this process starts may be another Parley on another Node.
  delete process.env.PARLEY_REEXEC;
  const bundle = new URL("../dist/main.js", import.meta.url);
  if (!existsSync(bundle)) {
    process.stderr.write(
      "Parley is not built yet: run npm install, or npm run build, in its folder first.\n",
    );
    process.exitCode = 1;
    return;
  }
  if (module.enableCompileCache) module.enableCompileCache();
  const main = await import(bundle.href);
  await main.main(argv);
};

await start();
