/** Errors of the background provider are logged, and a failing disk is named to the command that hits it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

const log = (): string => path.join(home.data, "provider.log");
const rows = (): Record<string, unknown>[] =>
  readFileSync(log(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("an unexpected error of the background provider is logged with operation, request id and stack", async () => {
  await home.up();
  await home.channel("ops", ["ana"]);
  expect((await home.run(["channel", "list", "--json=cid"])).code).toBe(0);
  const other = new DatabaseSync(path.join(home.data, "provider.db"));
  other.exec("BEGIN IMMEDIATE");
  const ran = await home.run(["channel", "create", "messaging:s3cret-words", "--retries", "0", "--json"]);
  other.exec("ROLLBACK");
  other.close();
  expect(ran).toMatchObject({ code: 10, out: "" });
  const { error } = JSON.parse(ran.err) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ message: "the provider's database is held by another program", http: 503 });
  // Work in the background that met the same lock is told in rows of its own.
  const fault = await until("its row", () => rows().find(({ request }) => request === error.request_id));
  expect(fault).toMatchObject({
    level: "error",
    status: 503,
    op: "QueryChannels",
  });
  expect(fault.stack).toMatch(/\n +at /);
  expect(readFileSync(log(), "utf8")).not.toMatch(/s3cret-words|eyJ/);
  expect(statSync(log()).mode & 0o777).toBe(0o600);
  const shown = await home.run(["local", "logs"]);
  expect(shown.out).toContain(String(error.request_id));
});

test("a log larger than a few megabytes is renamed, and a new one is begun", async () => {
  mkdirSync(home.data, { recursive: true, mode: 0o700 });
  writeFileSync(log(), "x".repeat(5 * 1024 * 1024 + 1), { mode: 0o600 });
  await home.up();
  expect(statSync(`${log()}.1`).size).toBeGreaterThan(5 * 1024 * 1024);
  expect(rows().map(({ text }) => text)).toEqual([
    expect.stringContaining("the embedded provider listens at"),
  ]);
});

/** Mounts a small disk; false if this machine does not allow it. */
function smallDisk(at: string, size = "1m"): boolean {
  mkdirSync(at, { recursive: true, mode: 0o700 });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", at]).status === 0;
}

describe("a start on a failing disk", () => {
  test("ends with code 12 and names the folder", async () => {
    // No file may grow, as with a full quota or a broken disk.
    const ran = await home.sh("ulimit -f 0; parley channel list --json 2>&1 | cat");
    const { error } = JSON.parse(ran.out) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ exit: 12, code: "storage" });
    expect(error.message).toBe(`the embedded provider cannot start: the disk reports an error: ${home.data}`);
  });

  test("a full disk is reported as full, and the next start with free space works", async (at) => {
    if (!smallDisk(home.data)) return at.skip("no file system can be mounted here");
    try {
      const filler = path.join(home.data, "filler");
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"]);
      const ran = await home.run(["channel", "list", "--json"]);
      expect(ran.code).toBe(12);
      const { error } = JSON.parse(ran.err) as { error: Record<string, unknown> };
      expect(error.message).toBe(`the embedded provider cannot start: the disk is full: ${home.data}`);
      execFileSync("rm", [filler]);
      expect((await home.run(["channel", "list", "--json"])).out).toBe("[]\n");
      await home.run(["local", "stop"]);
    } finally {
      execFileSync("umount", ["-l", home.data]);
    }
  });

  test("a disk that fills up during the start, after the database was made, is reported as full too", async (at) => {
    if (!smallDisk(home.data, "1300k")) return at.skip("no file system can be mounted here");
    try {
      const ran = await home.sh("PARLEY_LOCAL_SEED=demo parley channel list --json");
      const { error } = JSON.parse(ran.err) as { error: Record<string, unknown> };
      expect([ran.code, error.message]).toEqual([
        12,
        `the embedded provider cannot start: the disk is full: ${home.data}`,
      ]);
    } finally {
      execFileSync("umount", ["-l", home.data]);
    }
  });
});
