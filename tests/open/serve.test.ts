/** A background provider reports trouble to the command that started it, but not mere slowness. */
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { serveProvider } from "../../src/open/serve.ts";
import { PATIENCE } from "../support/patience.ts";
import { removeFolder } from "../support/remove-folder.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parley-serve-"));
afterEach(() => removeFolder(folder));

test("a slow start of a demo workspace is logged and not reported to the first command", async () => {
  // Every reading of the clock is two seconds after the one before.
  let at = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (at += 2000));
  const reported: string[] = [];
  const stopped = new AbortController();
  const ended = serveProvider(
    folder,
    { id: "mira" },
    {
      background: true,
      debug: false,
      memory: false,
      seed: true,
      stay: true,
      version: "0.0.0",
      print: () => {},
      report: (line) => reported.push(line),
      signal: stopped.signal,
    },
  );
  const log = path.join(folder, "provider.log");
  await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain("listens at"), PATIENCE);
  stopped.abort();
  await ended;
  expect(readFileSync(log, "utf8")).toMatch(/blocked every other call for 2000 ms/);
  expect(reported).toEqual([]);
});
