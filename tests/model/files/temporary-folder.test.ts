/** Temporary folders of killed processes are removed by the next one, and no others. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../support/remove-folder.ts";

const MODULE = path.resolve(import.meta.dirname, "../../../src/model/files/temporary-folder.ts");

let base = "";
beforeEach(() => void (base = mkdtempSync(path.join(tmpdir(), "parley-left-"))));
afterEach(() => removeFolder(base));

const script = (text: string): string[] => [
  "--input-type=module",
  "--eval",
  `import * as all from ${JSON.stringify(MODULE)};${text}`,
];
const env = (): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: base });
const look = (): void =>
  void execFileSync(process.execPath, script("all.removeLeftFolders()"), { env: env() });

/** A process that has made a folder with a file in it, and waits. */
async function maker(): Promise<{ folder: string; kill(): Promise<void> }> {
  const text = "console.log(all.makeTemporaryFolder()); setInterval(() => {}, 1e6)";
  const child = spawn(process.execPath, script(text), { env: env(), stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const folder = line.toString().trim();
  writeFileSync(path.join(folder, "text"), "private");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { folder, kill };
}

test("the folder of a killed process goes, that of a living one stays", async () => {
  const [killed, living] = [await maker(), await maker()];
  await killed.kill();
  look();
  expect([existsSync(killed.folder), existsSync(living.folder)]).toEqual([false, true]);
  await living.kill();
  look();
  expect(readdirSync(base)).toEqual([]);
});

test("the first folder that a process makes takes those of killed ones away", async () => {
  const killed = await maker();
  await killed.kill();
  const next = await maker();
  expect(readdirSync(base)).toEqual([path.basename(next.folder)]);
  await next.kill();
});

test("folders of other users, containers and programs stay, and so do files and links", async () => {
  const killed = await maker();
  await killed.kill();
  const name = path.basename(killed.folder);
  const [, start, world] = /^parley-(\d+-\d*)-(\d*)-/.exec(name)!;
  const target = path.join(base, "target");
  mkdirSync(target);
  writeFileSync(path.join(target, "kept"), "");
  const others = [
    `parley-${start}-${world}1-aaaaaa`,
    "parley-abcdef",
    "parley-edit-abcdef",
    "parley",
    "other-1-2-3-x",
  ];
  for (const other of others) mkdirSync(path.join(base, other));
  symlinkSync(target, path.join(base, `parley-${start}-${world}-linked`));
  writeFileSync(path.join(base, `parley-${start}-${world}-afile`), "");
  const foreign = path.join(base, `parley-${start}-${world}-foreign`);
  mkdirSync(foreign);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(foreign, 12_345, 12_345);
  look();
  const left = [...others, "target", `parley-${start}-${world}-linked`, `parley-${start}-${world}-afile`];
  if (isRoot) left.push(path.basename(foreign));
  expect(readdirSync(base).toSorted()).toEqual(left.toSorted());
  expect(readdirSync(target)).toEqual(["kept"]);
});
