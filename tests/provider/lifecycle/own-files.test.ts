/** The provider's own files: a link, another user's file or a too short secret in their place is refused with a reason. */
import { execFileSync } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLog } from "../../../src/config/log.ts";
import { logFile } from "../../../src/config/paths.ts";
import { appendOwn, readOwn, replaceOwn } from "../../../src/model/files/own-files.ts";
import { findProvider } from "./found.ts";
import { createProvider } from "../../../src/provider/provider.ts";
import { removeFolder } from "../../support/remove-folder.ts";

let folder: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-own-"));
  target = path.join(folder, "elsewhere");
  writeFileSync(target, `${"precious ".repeat(8)}\n`);
});
afterEach(() => removeFolder(folder));

const at = (name: string): string => path.join(folder, name);
const data = (): string => at("data");
const start = (): unknown => createProvider({ data: data(), stay: true });
const expectTargetUnchanged = (): void =>
  expect(readFileSync(target, "utf8")).toBe(`${"precious ".repeat(8)}\n`);

test("a symbolic link is neither read nor appended to, wherever it leads", () => {
  for (const to of [target, at("nowhere"), folder]) {
    rmSync(at("link"), { force: true });
    symlinkSync(to, at("link"));
    expect(() => readOwn(at("link"))).toThrow(/link is a link/);
    expect(() => appendOwn(at("link"))).toThrow(/link is a link/);
  }
  expectTargetUnchanged();
});
test("a symbolic link is replaced, and the file it led to is unchanged", () => {
  symlinkSync(target, at("link"));
  replaceOwn(at("link"), "ours");
  expect(readOwn(at("link"))).toBe("ours");
  expectTargetUnchanged();
});
test("a written file is readable by its owner only, also when others could read it before", () => {
  writeFileSync(at("open"), "", { mode: 0o644 });
  for (const name of ["open", "new"]) {
    replaceOwn(at(name), "ours");
    expect(statSync(at(name)).mode & 0o777).toBe(0o600);
  }
});
test("a pipe and a folder are refused as files, without waiting for a writer", () => {
  execFileSync("mkfifo", [at("pipe")]);
  expect(() => readOwn(at("pipe"))).toThrow(/not a plain file/);
  expect(() => appendOwn(at("pipe"))).toThrow(/not a plain file/);
  expect(() => readOwn(folder)).toThrow(/not a plain file/);
});
test.runIf(process.getuid?.() === 0)("a file of another user is not used", () => {
  chownSync(target, 12_345, 12_345);
  expect(() => readOwn(target)).toThrow(/belongs to another user/);
  expect(() => appendOwn(target)).toThrow(/belongs to another user/);
});
test("reading a missing file gives undefined, and appending creates it with mode 0600", () => {
  expect(readOwn(at("new"))).toBeUndefined();
  writeSync(appendOwn(at("new")), "a line\n");
  expect(readOwn(at("new"))).toBe("a line\n");
});

test.each(["secret", "lock.db"])("a provider does not start when %s is a symbolic link", (name) => {
  mkdirSync(data());
  symlinkSync(target, path.join(data(), name));
  expect(start).toThrow(/is a link/);
  expectTargetUnchanged();
});
test.each(["", "short", "x".repeat(31)])("a secret of %j is refused", (text) => {
  mkdirSync(data());
  writeFileSync(path.join(data(), "secret"), `${text}\n`);
  expect(start).toThrow(/fewer than 32 bytes/);
});
test("a client reads neither secret nor address through a symbolic link", async () => {
  const provider = createProvider({ data: data(), stay: true });
  await provider.listen();
  expect((await findProvider(data()))?.url).toBe(provider.url);
  for (const name of ["secret", "provider.json"]) {
    const file = path.join(data(), name);
    const text = readFileSync(file, "utf8");
    writeFileSync(at("copy"), text);
    rmSync(file);
    symlinkSync(at("copy"), file);
    expect([name, await findProvider(data())]).toEqual([name, undefined]);
    rmSync(file);
    writeFileSync(file, text, { mode: 0o600 });
  }
  await provider.close();
});
test("the log is not written through a symbolic link", () => {
  const env = { HOME: folder, XDG_STATE_HOME: at("state") };
  const log = openLog(env, "warn");
  log.warn("first");
  expect(readFileSync(logFile(env), "utf8")).toContain("first");
  rmSync(logFile(env));
  symlinkSync(target, logFile(env));
  log.warn("second");
  expectTargetUnchanged();
});
