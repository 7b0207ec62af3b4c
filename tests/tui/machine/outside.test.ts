/** Missing helper programs are reported in words or to the caller. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { editText, openUrl } from "../../../src/tui/machine/external-programs.ts";

const missing = Object.assign(new Error("spawn xdg-open ENOENT"), { code: "ENOENT" });
let opener: () => Promise<unknown>;
let lastOpener: ChildProcess | undefined;
vi.mock("open", () => ({ default: () => opener() }));
beforeEach(() => {
  opener = () => Promise.reject(missing);
});

test("without an opener the address is not opened, and other than web addresses are refused", async () => {
  expect(await openUrl("https://a.example/1", () => {})).toBe(false);
  await expect(openUrl("file:///etc/passwd", () => {})).rejects.toThrow(
    "Only http and https links can be opened.",
  );
});

/** Opens an address with `code` as the opener program. */
function openWith(code: string, failed: () => void = () => {}): Promise<boolean> {
  opener = async () => (lastOpener = spawn("sh", ["-c", code], { stdio: "ignore" }));
  return openUrl("https://a.example/1", failed);
}

test("an opener that exits with an error has not opened the address; one that succeeds or keeps running has", async () => {
  expect(await openWith("exit 3")).toBe(false);
  expect(await openWith("exit 0")).toBe(true);
  expect(await openWith("sleep 1")).toBe(true);
});

test("an opener that fails later reports it then, and one that succeeds reports nothing", async () => {
  const failed = Promise.withResolvers<string>();
  expect(await openWith("sleep 1; exit 3", () => failed.resolve("failed"))).toBe(true);
  expect(await failed.promise).toBe("failed");
  let failures = 0;
  expect(await openWith("exit 3", () => failures++)).toBe(false);
  expect(await openWith("sleep 0.8", () => failures++)).toBe(true);
  if (lastOpener!.exitCode === null) await once(lastOpener!, "close");
  await new Promise(setImmediate);
  expect(failures).toBe(0);
});

test("a missing editor is named, with how to set another one", async () => {
  await expect(editText("ed-of-nobody --wait", "text")).rejects.toThrow(
    "The editor ed-of-nobody was not found: set EDITOR or /settings editor.",
  );
});
