/** Whether a resumed run believes a report: by what the provider shows of the items that it calls done. */
import { expect, test } from "vitest";
import type { Args } from "../../src/commands/base/define-command.ts";
import { requireShown, targetOf } from "../../src/commands/base/bulk/report-run.ts";
import { ApiError } from "../../src/model/errors.ts";

const lookUp = (...answers: (boolean | number)[]): Promise<string> => {
  const look = async (id: string): Promise<boolean> => {
    const answer = answers[Number(id)]!;
    if (typeof answer === "number") throw new ApiError("no", { status: answer });
    return answer;
  };
  const ids = answers.map((_, at) => String(at));
  return requireShown("report.ndjson", ids, look).then(
    () => "believed",
    (error: Error) => error.message,
  );
};

test("a report is believed when one of its items is shown, or when nobody may look at it", async () => {
  expect(await lookUp()).toBe("believed");
  expect(await lookUp(true)).toBe("believed");
  expect(await lookUp(false, true)).toBe("believed");
  expect(await lookUp(403, false)).toBe("believed");
});

test("a report is refused when none of its items is shown, and a failure of the look is reported", async () => {
  expect(await lookUp(false, false)).toMatch(/^report\.ndjson says that 0 is done, but/);
  expect(await lookUp(false, 500)).toBe("no");
});

test("a run is about what was given, except the items and what may change between two runs", () => {
  const rows = {
    members: { kind: "list", positional: true, help: "" },
    channel: { kind: "channel", help: "" },
    role: { kind: "text", help: "" },
    tags: { kind: "list", help: "" },
    hard: { kind: "flag", help: "" },
    maxErrors: { kind: "number", help: "" },
    file: { kind: "file", help: "" },
    until: { kind: "time", help: "" },
  } as unknown as Args;
  const free = { members: ["a"], maxErrors: 3, file: "x", until: { ms: 1 } };
  expect(targetOf(rows, { ...free, hard: false, tags: [] })).toEqual({});
  expect(targetOf(rows, { ...free, channel: "team:ops", role: "", hard: true, tags: ["x"] })).toEqual({
    channel: "team:ops",
    role: "",
    hard: true,
    tags: ["x"],
  });
});
