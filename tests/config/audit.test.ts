/** The hash chain of the audit log: the first broken line is reported, and all readable lines are still returned. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { appendAudit, auditFile, readAudit } from "../../src/config/audit.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import { findAuditLines } from "../../src/cli/shell-commands/audit/find.ts";

const entry = (n: number) => ({
  time: `2026-01-01T00:00:0${n}Z`,
  run: `r${n}`,
  state: "begun" as const,
  os_user: "u",
  host: "h",
  pid: n,
  profile: "local",
  user: "ana",
  command: "send",
});

test("an entry that does not fit on the disk is not written in part, and the chain continues later", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    appendAudit(env, entry(1));
    const audit = path.resolve(import.meta.dirname, "../../src/config/audit.ts");
    const script = `import { appendAudit } from ${JSON.stringify(audit)};
      try { for (;;) appendAudit(${JSON.stringify(env)}, ${JSON.stringify(entry(2))}); } catch (error) { console.log(error.code); }`;
    // No file may grow beyond a kilobyte.
    const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("bash", ["-c", limited, process.execPath, script], { encoding: "utf8" });
    expect(stdout.trim()).toBe("EFBIG");
    appendAudit(env, entry(3));
    const { lines, fault } = readAudit(env);
    expect([fault, lines.at(-1)?.run, lines.length > 2]).toEqual([undefined, "r3", true]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the chain goes on from the last line, however long the log is", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    const ids = Array.from({ length: 1000 }, (_, n) => `user-${n}`);
    for (let n = 1; n <= 9; n++) appendAudit(env, { ...entry(n), ids });
    expect(readFileSync(auditFile(env)).length).toBeGreaterThan(64 * 1024);
    expect(readAudit(env)).toMatchObject({ fault: undefined, lines: { length: 9 } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a lock is another program's until it is five seconds old, and then that of a killed one", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    appendAudit(env, entry(1));
    const lock = `${auditFile(env)}.lock`;
    for (const [n, age] of [
      [2, 4700],
      [3, 60_000],
    ] as const) {
      writeFileSync(lock, "");
      const since = Date.now() - age;
      utimesSync(lock, since / 1000, since / 1000);
      appendAudit(env, entry(n));
      expect(Date.now() - since).toBeGreaterThanOrEqual(5000);
      expect(existsSync(lock)).toBe(false);
    }
    expect(readAudit(env)).toMatchObject({ fault: undefined, lines: { length: 3 } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("of several wrong lines the first is reported, and every readable line is returned", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    for (let n = 1; n <= 6; n++) appendAudit(env, entry(n));
    expect(readAudit(env)).toMatchObject({ fault: undefined, lines: { length: 6 } });
    const lines = readFileSync(auditFile(env), "utf8").split("\n");
    lines[1] = lines[1]!.replace('"ana"', '"bob"');
    lines[3] = "half a li";
    lines[4] = lines[4]!.replace('"ana"', '"bob"');
    writeFileSync(auditFile(env), lines.join("\n"));
    const { fault, lines: read } = readAudit(env);
    expect(fault).toEqual({ line: 2, reason: "was changed after it was written" });
    expect(read.map(({ run }) => run)).toEqual(["r1", "r2", "r3", "r5", "r6"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("entries are found by whole words of their command, by time with the very moment, and by profile, newest first", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    const commands = ["channel create", "channel-type set", "channel", "send", "channel delete"];
    commands.forEach((command, n) =>
      appendAudit(env, { ...entry(n), command, profile: n === 4 ? "work" : "local" }),
    );
    const found = (args: object, flags: object = {}): string[] =>
      findAuditLines({ env, flags } as unknown as Shell, args as never).map(({ command }) => command);
    expect(found({ command: "channel" })).toEqual(["channel delete", "channel", "channel create"]);
    expect(found({ command: "channel" }, { profile: "local" })).toEqual(["channel", "channel create"]);
    expect(found({ command: "chan" })).toEqual([]);
    expect(found({ command: "channel-type set" })).toEqual(["channel-type set"]);
    expect(found({ since: "2026-01-01T00:00:03Z" })).toEqual(["channel delete", "send"]);
    expect(found({ since: "2026-01-01T00:00:03.001Z" })).toEqual(["channel delete"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
