/** Connection messages of long-running commands: a problem is reported once when it begins, not at every retry. */
import { expect, test } from "vitest";
import { watchConnection } from "../../src/cli/base/watch-connection.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import type { Core } from "../../src/core/core.ts";

type Link = Partial<ReturnType<Core["state"]>["link"]>;

test("a provider that ends every connection is told of once, whatever else fails between two tries", () => {
  let link: Link = { phase: "open" };
  let look = (): void => {};
  let said = "";
  const core = {
    state: () => ({ link }),
    subscribe: (again: () => void) => {
      look = again;
      return () => {};
    },
  };
  const shell = { flags: {}, err: { write: (text: string) => (said += text) } };
  const after = (...links: Link[]): number => {
    said = "";
    for (link of links) look();
    return said.split("\n").length - 1;
  };
  watchConnection(shell as unknown as Shell, core as unknown as Core, () => {});
  const ended: Link = { phase: "waiting", cause: "ended", reason: "no room" };
  expect(after({ phase: "connecting" }, ended)).toBe(1);
  expect(said).toBe("no room; retrying every minute\n");
  expect(after({ phase: "connecting" }, { phase: "waiting", reason: "refused" }, ended)).toBe(0);
  expect(after({ phase: "open" }, { phase: "connecting" }, ended)).toBe(1);
});
