/** What a command says when a rate limit outlasts its wait: when to run it again, never too early. */
import { expect, test } from "vitest";
import { settleSend } from "../../src/cli/run/one-shot.ts";
import { LocalError } from "../../src/model/errors.ts";

test.each([
  [undefined, "later"],
  [0, "in 1 s"],
  [1, "in 1 s"],
  [1000, "in 1 s"],
  [1001, "in 2 s"],
  [39_400, "in 40 s"],
])("with %s milliseconds left it may be run again %s", async (left, when) => {
  const { signal } = new AbortController();
  const settle = settleSend({ signal } as never, {} as never, {});
  const parked = { reason: "Too many requests", ...(left !== undefined && { left }) };
  const outcome = { state: "failed", error: new LocalError("it was withdrawn"), parked };
  await expect(settle("m", Promise.resolve(outcome as never))).rejects.toMatchObject({
    exit: 10,
    neverSent: true,
    hint: `run the same command again ${when}, or with a longer --max-wait`,
  });
});
