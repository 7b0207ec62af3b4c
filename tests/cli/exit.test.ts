/** Exit codes: every row of specification/command-line.md §2 and Parley's own errors. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ApiError, LocalError, TransportError } from "../../src/model/errors.ts";
import { StoreFailure } from "../../src/core/store/store.ts";
import { CommandError } from "../../src/commands/base/define-command.ts";
import { ConfigError } from "../../src/config/settings.ts";
import { EXITS, ExitError, exitOf } from "../../src/cli/base/exit.ts";
import { problemText, readProblem } from "../../src/cli/base/problem.ts";
import { unfinishedRun } from "../../src/cli/base/unfinished-run.ts";
import type { Obstacle } from "../../src/model/obstacles.ts";

const api = (status: number, code?: number): ApiError =>
  new ApiError("no", { status, ...(code === undefined ? {} : { code }) });

/** The page's rows: provider codes (`40 to 43` means four codes) and HTTP statuses → exit code. */
const PAGE = readFileSync(
  path.resolve(import.meta.dirname, "../../docs/specification/command-line.md"),
  "utf8",
);
const ROWS = [...PAGE.matchAll(/^\| (code [^|;]+)[^|]*\| (\d+) \|$/gm)].map(([, numbers, exit]) => {
  const named = [...numbers!.matchAll(/(−?\d+)(?: to (\d+))?\b/g)].flatMap(([, from, to]) => {
    const first = Number(from!.replace("−", "-"));
    return Array.from({ length: Number(to ?? first) - first + 1 }, (_, i) => first + i);
  });
  return { named, exit: Number(exit) };
});

describe("specification/command-line.md §2", () => {
  test("its table lists more than thirty codes", () => {
    expect(ROWS.flatMap(({ named }) => named).length).toBeGreaterThan(30);
  });
  for (const { named, exit } of ROWS)
    test(`${named.join(" ")} exit with ${exit}`, () => {
      // A code decides even with a contradicting status; without a code the status does.
      for (const n of named) expect([n, exitOf(n < 400 ? api(418, n) : api(n))]).toEqual([n, exit]);
    });
  test("a status that is not in the table exits by its class", () => {
    expect([500, 503, 418].map((status) => exitOf(api(status)))).toEqual([10, 10, 1]);
  });
});

describe("a request without an answer", () => {
  test("exits with 10 if it can be repeated and with 11 if it may have been done", () => {
    const lost = (): TransportError => new TransportError("ETIMEDOUT", "SendMessage got no answer in time");
    expect(exitOf(lost())).toBe(10);
    expect(exitOf(Object.assign(lost(), { unsafe: true }))).toBe(11);
  });
  test("exits with 10 if nothing was sent", () => {
    const refused = new TransportError("ERR_NETWORK", "CreatePoll got no answer", undefined, true);
    expect(exitOf(Object.assign(refused, { unsafe: true }))).toBe(10);
  });
  test("exits with 11 if a gateway answered a write, and with 10 if the provider itself did", () => {
    const unsafe = (status: number, code?: number): number =>
      exitOf(Object.assign(api(status, code), { unsafe: true }));
    expect([unsafe(502), unsafe(504), unsafe(408)]).toEqual([11, 11, 11]);
    expect([unsafe(500, -1), unsafe(408, 23), unsafe(429), exitOf(api(502))]).toEqual([10, 10, 10, 10]);
  });
  test("exits with 130 if the user cancelled it", () => {
    expect(exitOf(new TransportError("ERR_CANCELED", "cancelled"))).toBe(130);
  });
});

test("an error that somebody has to fix first is not retryable, although nothing was sent", () => {
  const lost = (obstacle?: Obstacle): boolean =>
    readProblem(new TransportError("ERR_NETWORK", "GetApp got no answer", undefined, true, "X", obstacle))
      .retryable;
  expect([lost(), lost({ kind: "portal", reason: "x", hint: "y" })]).toEqual([true, true]);
  expect(lost({ kind: "certificate", reason: "x", hint: "y" })).toBe(false);
});

test("the hint for a rate limit says when to try again, if the answer does", () => {
  const hint = (more: object): string | undefined =>
    readProblem(new ApiError("slow down", { status: 429, code: 9, ...more })).hint;
  expect(hint({ retryAfter: 12_000 })).toBe("run the same command again in 12 s");
  // Rounded down, the advice would be a second too early.
  expect(hint({ retryAfter: 12_001 })).toBe("run the same command again in 13 s");
  expect(hint({ rateLimit: { limit: 1, remaining: 0, reset: 1 } })).toBe("run the same command again in 1 s");
  expect(hint({})).toBe("run the same command again, or parley doctor to find the cause");
});

test("a working folder that was deleted is named, and nothing of Node's own words", () => {
  const gone = Object.assign(new Error("ENOENT: process.cwd failed"), { code: "ENOENT", syscall: "uv_cwd" });
  expect(problemText(readProblem(gone))).toBe(
    "error: The folder you are in has been deleted\nhint: cd to another one\n",
  );
  expect(readProblem(gone).exit).toBe(3);
});

test("Parley's own errors have their exit codes", () => {
  expect(exitOf(new CommandError("usage", "x"))).toBe(2);
  expect(exitOf(new CommandError("notFound", "x"))).toBe(3);
  expect(exitOf(new CommandError("notAllowed", "x"))).toBe(5);
  expect(exitOf(new CommandError("conflict", "x"))).toBe(6);
  expect(exitOf(new CommandError("rejected", "x"))).toBe(7);
  expect(exitOf(new CommandError("unavailable", "x"))).toBe(10);
  expect(exitOf(new CommandError("unknown", "x"))).toBe(11);
  expect(exitOf(new ConfigError("x"))).toBe(2);
  expect(exitOf(new LocalError("x"))).toBe(7);
  expect(exitOf(new StoreFailure("full", "x"))).toBe(12);
  expect(exitOf(new ExitError(8, "x"))).toBe(8);
  expect(exitOf(new Error("a bug"))).toBe(1);
  expect(exitOf("not even an error")).toBe(1);
});

test.each([
  [12, ["ENOSPC", "EDQUOT", "EROFS"]],
  [6, ["EADDRINUSE"]],
  [3, ["ENOENT"]],
  [2, ["EISDIR", "ENOTDIR", "EACCES"]],
  [1, ["EBADF", "ECONNREFUSED"]],
])("errors of the system exit with %i: %j", (exit, codes) => {
  for (const code of codes) {
    const error = (more: object = {}): Error => Object.assign(new Error(code), { code, ...more });
    expect([code, exitOf(error()), exitOf(error({ syscall: "open" }))]).toEqual([code, exit, exit]);
    // Whatever prevented it, a file of our own is not as it should be.
    for (const syscall of ["mkdir", "write", "rename", "unlink", "chmod", "fsync", "rm"])
      expect([code, syscall, exitOf(error({ syscall }))]).toEqual([code, syscall, 12]);
  }
});

test("the table of exit codes has every code once", () => {
  expect(EXITS.map((row) => row.code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 130, 143]);
});

test("control characters and line ends in an error's reason are removed", () => {
  const text = problemText(
    readProblem(new ApiError("x\u001b]0;owned\u0007\r\nhint: rm -rf /", { status: 403, code: 17 })),
  );
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text.split("\n").filter((line) => line.startsWith("hint:"))).toEqual([
    "hint: add --as <user> to act as somebody who may, or have your role changed (parley whoami shows who you are)",
  ]);
});

test("a run that stops in the middle is reported as text, and as JSON where the output is JSON", () => {
  const report = (...argv: string[]): string =>
    unfinishedRun({ argv, version: "1.0.0", log: "parley.log", note: () => {} });
  expect(report("send", "ana", "a secret")).toMatch(/^error: parley send stopped in the middle/);
  for (const flag of ["--json", "--json=id", "--ndjson"])
    expect(JSON.parse(report("send", "a secret", flag))).toMatchObject({
      error: { exit: 1, message: expect.stringMatching(/^parley send stopped/) as unknown, retryable: false },
    });
  expect(report("send", "a secret", "--ndjson")).not.toContain("secret");
});

test.each([405, 501])(
  "HTTP %i is of a call that the provider does not have, for whoever makes it",
  (status) => {
    const { exit, because, hint } = readProblem(
      Object.assign(new Error("404 page not found"), { name: "ApiError", status }),
    );
    expect([exit, because, hint]).toEqual([
      5,
      `the provider does not offer this (HTTP ${status})`,
      undefined,
    ]);
  },
);
