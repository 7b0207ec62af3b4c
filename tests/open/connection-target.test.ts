/** How the embedded provider is found again before each connection attempt. */
import { expect, test } from "vitest";
import { localTarget } from "../../src/open/connection-target.ts";
import type { Local, LocalProvider } from "../../src/open.ts";

/** A folder whose provider is the next of these at each look. */
function folderOf(...runs: LocalProvider[]) {
  const entered: number[] = [];
  const local: Pick<Local, "folder" | "start" | "enter" | "ahead"> = {
    folder: "nowhere",
    start: async () => (runs.length > 1 ? runs.shift()! : runs[0]!),
    enter: async (_user, found) => void entered.push(found!.pid),
    ahead: () => 0,
  };
  return { local: local as Local, entered };
}
const run = (pid: number, port = 7000): LocalProvider => ({
  url: `http://127.0.0.1:${port}`,
  pid,
  apiKey: "key",
  secret: "s".repeat(32),
});

test("a provider that was started anew is entered again, on the same port too", async () => {
  const { local, entered } = folderOf(run(1), run(1), run(2), run(3, 7001));
  const target = await localTarget(local, "mira", {}, { queue: false });
  expect(entered).toEqual([1]);
  await target.prepare!();
  expect(entered).toEqual([1]);
  await target.prepare!();
  expect(entered).toEqual([1, 2]);
  await target.prepare!();
  expect(entered).toEqual([1, 2, 3]);
  expect(target.baseUrl()).toBe("http://127.0.0.1:7001");
});
