/** Connection messages of long-running commands: a problem is reported once when it begins, not at every retry. */
import { expect, test } from "vitest";
import { watchConnection } from "../../src/cli/base/watch-connection.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import type { Core } from "../../src/core/core.ts";

type Link = Partial<ReturnType<Core["state"]>["link"]>;

test("a provider that ends every connection is reported once, whatever else fails between retries", () => {
  let link: Link = { phase: "open" };
  let notify = (): void => {};
  let output = "";
  const core = {
    state: () => ({ link }),
    subscribe: (again: () => void) => {
      notify = again;
      return () => {};
    },
  };
  const shell = { flags: {}, err: { write: (text: string) => (output += text) } };
  const linesAfter = (...links: Link[]): number => {
    output = "";
    for (link of links) notify();
    return output.split("\n").length - 1;
  };
  watchConnection(shell as unknown as Shell, core as unknown as Core, () => {});
  const ended: Link = { phase: "waiting", cause: "ended", reason: "no room" };
  expect(linesAfter({ phase: "connecting" }, ended)).toBe(1);
  expect(output).toBe("no room; retrying every minute\n");
  expect(linesAfter({ phase: "connecting" }, { phase: "waiting", reason: "refused" }, ended)).toBe(0);
  expect(linesAfter({ phase: "open" }, { phase: "connecting" }, ended)).toBe(1);
});
