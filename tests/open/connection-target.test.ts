/** Finding the embedded provider again before each connection attempt. */
import { expect, test } from "vitest";
import { ERASED, REPLACED } from "../../src/model/obstacles.ts";
import { localTarget } from "../../src/open/connection-target.ts";
import type { Local, LocalProvider } from "../../src/open.ts";

/** A folder where each look-up finds the next of these providers. */
function folderOf(...runs: LocalProvider[]) {
  const entered: number[] = [];
  const local: Pick<Local, "folder" | "start" | "enter" | "clockAhead"> = {
    folder: "nowhere",
    start: async () => (runs.length > 1 ? runs.shift()! : runs[0]!),
    enter: async (_user, found) => void entered.push(found!.pid),
    clockAhead: () => 0,
  };
  return { local: local as Local, entered };
}
const run = (pid: number, port = 7000): LocalProvider => ({
  url: `http://127.0.0.1:${port}`,
  pid,
  apiKey: "key",
  secret: "s".repeat(32),
});

test("a provider that was restarted is entered again, on the same port too", async () => {
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

test("a missing program file is reported as an update, and other errors as they are", async () => {
  const { local } = folderOf(run(1));
  const target = await localTarget(local, "mira", {}, { queue: false });
  const gone = { code: "ERR_MODULE_NOT_FOUND", url: "file:///opt/parley/dist/chunks/find-AB12.js" };
  local.start = () => Promise.reject(Object.assign(new Error("Cannot find module"), gone));
  await expect(target.prepare!()).rejects.toMatchObject({ code: "ERR_NETWORK", obstacle: REPLACED });
  local.start = () => Promise.reject(new Error("the folder is full"));
  await expect(target.prepare!()).rejects.toThrow("the folder is full");
});

test("a folder that was erased while the program runs says so, as its key has become another one", async () => {
  const { local } = folderOf(run(1), { ...run(2), apiKey: "other", secret: "t".repeat(32) });
  const target = await localTarget(local, "mira", {}, { queue: false });
  await expect(target.prepare!()).rejects.toMatchObject({ code: "ERR_NETWORK", obstacle: ERASED });
});
