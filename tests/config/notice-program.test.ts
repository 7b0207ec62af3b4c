/** The user's own program for notifications: it is told one line of JSON, and no secret. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pipeToProgram, type NoticeFacts } from "../../src/config/notice-program.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "parley-notice-"))));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const FACTS: NoticeFacts = { title: "ana · #general", body: "tea\nnow?", kind: "message", count: 2 };

function program(script: string): string {
  const file = path.join(folder, "notice");
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return file;
}
const written = (name: string): string => readFileSync(path.join(folder, name), "utf8");

test("it gets the facts as one line of JSON, its flags, the profile, and none of Parley's secrets", async () => {
  vi.stubEnv("PARLEY_PROFILE", "work");
  vi.stubEnv("PARLEY_TOKEN", "t0k3n");
  vi.stubEnv("PARLEY_API_SECRET", "s3cr3t");
  const file = program(`cat > ${folder}/input; env > ${folder}/env; printf '%s|' "$@" > ${folder}/flags`);
  await pipeToProgram(`${file}  --urgent -x`, FACTS);
  expect(written("input")).toBe(`${JSON.stringify(FACTS)}\n`);
  expect(written("flags")).toBe("--urgent|-x|");
  expect(written("env")).toContain("PARLEY_PROFILE=work");
  expect(written("env")).not.toMatch(/t0k3n|s3cr3t/);
});

test("one that reads nothing is no error, and one that does not exist is", async () => {
  await pipeToProgram(program("exit 3"), { ...FACTS, body: "x".repeat(500_000) });
  await expect(pipeToProgram(path.join(folder, "none"), FACTS)).rejects.toThrow("ENOENT");
});
