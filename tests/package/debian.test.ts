/** The Debian package: built, installed into a root of its own, and run with the system's Node out of reach. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt, until } from "../support/home.ts";
import { processesOf } from "../support/leftovers.ts";
import { removeFolder } from "../support/remove-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

/** Whether a program is there. */
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
/** dpkg wants to be root, or to believe it. */
const asRoot = process.getuid?.() === 0 ? [] : ["fakeroot", "--"];
const missing = ["dpkg", "dpkg-deb", ...asRoot.slice(0, 1)].filter((program) => !has(program));

const call = promisify(execFile);
let folder = "";
const at = (name: string): string => path.join(folder, name);
const installed = (name: string): string => at(`root/${name}`);

async function run(...args: string[]): Promise<string> {
  // Only what the starter's shell needs: no Node.
  const env = {
    PATH: at("nothing"),
    HOME: at("home"),
    PARLEY_KEYRING: "off",
    PARLEY_USER: "mira",
    TMPDIR: folder,
  };
  return (await call(installed("usr/bin/parley"), args, { env, cwd: at("home") })).stdout;
}

/** An empty database of packages, so that the machine's is not touched. */
async function install(file: string): Promise<void> {
  for (const name of ["info", "updates", "triggers"])
    mkdirSync(installed(`var/lib/dpkg/${name}`), { recursive: true });
  for (const name of ["status", "available"]) writeFileSync(installed(`var/lib/dpkg/${name}`), "");
  const flags = [`--root=${at("root")}`, "--force-depends", "--force-not-root", "--log=/dev/null"];
  const [program, ...args] = [...asRoot, "dpkg", ...flags, "--install", file];
  await call(program!, args);
}

describe.skipIf(missing.length > 0)(
  `the Debian package${missing.length > 0 ? ` (${missing.join(" and ")} not on this machine)` : ""}`,
  () => {
    beforeAll(async () => {
      ensureBuilt();
      folder = mkdtempSync(path.join(tmpdir(), "parley-debian-"));
      for (const name of ["root", "home", "nothing"]) mkdirSync(at(name));
      const script = path.join(ROOT, "packaging/debian.ts");
      await call(process.execPath, [script, "--out", at("parley.deb"), "--compression", "none"]);
      await install(at("parley.deb"));
    });
    afterAll(async () => {
      await run("local", "stop").catch(() => "");
      await until("all of it to end", () => processesOf(folder, [process.pid]).length === 0);
      removeFolder(folder);
    });

    test("has the version of the package, files of root alone, and no scripts of its own", async () => {
      const field = async (name: string): Promise<string> =>
        (await call("dpkg-deb", ["--field", at("parley.deb"), name])).stdout.trim();
      expect([await field("Package"), await field("Version")]).toEqual(["parley", version]);
      const { stdout } = await call("dpkg-deb", ["--contents", at("parley.deb")], { maxBuffer: 1e8 });
      expect(stdout.split("\n").filter((line) => line !== "" && !line.includes(" root/root "))).toEqual([]);
      const { stdout: control } = await call("dpkg-deb", ["--ctrl-tarfile", at("parley.deb")], {
        encoding: "latin1",
      });
      expect(control).not.toMatch(/(?:pre|post)(?:inst|rm)/);
    });

    test("prints its version without any other Node", async () => {
      expect(await run("--version")).toBe(`${version}\n`);
    });

    test("sends, lists and filters from an empty home", async () => {
      await run("send", "#general", "from the package");
      const texts = await run("message", "list", "-c", "messaging:general", "--jq", ".text");
      expect(texts.split("\n")).toContain("from the package");
    });

    test("has manual pages, completions, licences and changes in their usual places", () => {
      const page = gunzipSync(readFileSync(installed("usr/share/man/man1/parley.1.gz"))).toString();
      expect(page).toContain(".TH");
      const share = (name: string): string => readFileSync(installed(`usr/share/${name}`), "utf8");
      expect(share("bash-completion/completions/parley")).toMatch(/complete .*parley/);
      expect(share("zsh/vendor-completions/_parley")).toMatch(/^#compdef parley/);
      expect(share("fish/vendor_completions.d/parley.fish")).toContain("complete -c parley");
      expect(share("doc/parley/copyright")).toMatch(/MIT License[\s\S]*Node\.js/);
      const changes = gunzipSync(readFileSync(installed("usr/share/doc/parley/changelog.gz"))).toString();
      expect(changes).toContain(`## [${version}]`);
      expect(statSync(installed("usr/lib/parley/dist/THIRD-PARTY-LICENSES.txt")).mode & 0o777).toBe(0o644);
    });

    test("leaves nothing when it is removed", async () => {
      await run("local", "stop").catch(() => "");
      const flags = [`--root=${at("root")}`, "--force-not-root", "--log=/dev/null"];
      const [program, ...args] = [...asRoot, "dpkg", ...flags, "--purge", "parley"];
      await call(program!, args);
      expect(spawnSync("find", [installed("usr"), "-name", "*parley*"]).stdout.toString()).toBe("");
    });
  },
);

test("the Homebrew formula says in its first line that nobody has run it", () => {
  const formula = readFileSync(path.join(ROOT, "packaging/homebrew/parley.rb"), "utf8");
  expect(formula.split("\n", 1)[0]).toMatch(/^# Unverified:/);
});
