/** Exit codes: every row of specification/command-line.md §2 and the errors of our own. */
import { describe, expect, test } from "vitest";
import { ApiError, LocalError, TransportError } from "../../src/model/errors.ts";
import { StoreFailure } from "../../src/core/store/store.ts";
import { CommandError } from "../../src/commands/base/define-command.ts";
import { ConfigError } from "../../src/config/settings.ts";
import { EXITS, ExitError, exitOf } from "../../src/cli/base/exit.ts";
import { problemText, readProblem } from "../../src/cli/base/problem.ts";
import type { Obstacle } from "../../src/model/obstacles.ts";

const api = (status: number, code?: number): ApiError =>
  new ApiError("no", { status, ...(code === undefined ? {} : { code }) });

describe("specification/command-line.md §2", () => {
  const rows: [codes: number[], exit: number][] = [
    [[4, 18, 20, 21, 22, 24, 73], 7],
    [[6, 19, 44], 6],
    [[17, 60, 70, 99], 5],
    [[9, 23, 45, -1], 10],
    [[2, 3, 5, 40, 41, 42, 43], 4],
    [[16], 3],
  ];
  for (const [codes, exit] of rows)
    test(`provider codes ${codes.join(" ")} end with ${exit}`, () => {
      // A status that says something else shows that the code decides.
      for (const code of codes) expect(exitOf(api(418, code))).toBe(exit);
    });
  test("without a code the HTTP status decides", () => {
    const by = [401, 403, 404, 409, 413, 429, 400, 500, 503, 418].map((status) => exitOf(api(status)));
    expect(by).toEqual([4, 5, 3, 6, 7, 10, 7, 10, 10, 1]);
  });
});

describe("no answer", () => {
  test("is 10 for what may be repeated and 11 for a write that may have happened", () => {
    const lost = (): TransportError => new TransportError("ETIMEDOUT", "SendMessage got no answer in time");
    expect(exitOf(lost())).toBe(10);
    expect(exitOf(Object.assign(lost(), { unsafe: true }))).toBe(11);
  });
  test("is 10 when not a byte was sent", () => {
    const refused = new TransportError("ERR_NETWORK", "CreatePoll got no answer", undefined, true);
    expect(exitOf(Object.assign(refused, { unsafe: true }))).toBe(10);
  });
  test("is 130 when the user broke it off", () => {
    expect(exitOf(new TransportError("ERR_CANCELED", "cancelled"))).toBe(130);
  });
});

test("what somebody has to mend first is not called worth repeating, although nothing was sent", () => {
  const lost = (obstacle?: Obstacle): boolean =>
    readProblem(new TransportError("ERR_NETWORK", "GetApp got no answer", undefined, true, "X", obstacle))
      .retryable;
  expect([lost(), lost({ kind: "portal", says: "x", todo: "y" })]).toEqual([true, true]);
  expect(lost({ kind: "certificate", says: "x", todo: "y" })).toBe(false);
});

test("errors of our own have their codes", () => {
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

test("every code in the table is there once", () => {
  expect(EXITS.map((row) => row.code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 130, 143]);
});

test("a hostile reason stays on its line and steers nothing", () => {
  const text = problemText(
    readProblem(new ApiError("x\u001b]0;owned\u0007\r\nhint: rm -rf /", { status: 403, code: 17 })),
  );
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text.split("\n").filter((line) => line.startsWith("hint:"))).toEqual([]);
});
