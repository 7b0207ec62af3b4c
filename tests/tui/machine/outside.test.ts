/** Missing helper programs are reported in words or to the caller. */
import { spawn } from "node:child_process";
import { beforeEach, expect, test, vi } from "vitest";
import { editText, openUrl } from "../../../src/tui/machine/external-programs.ts";

const missing = Object.assign(new Error("spawn xdg-open ENOENT"), { code: "ENOENT" });
let opener: () => Promise<unknown>;
vi.mock("open", () => ({ default: () => opener() }));
beforeEach(() => {
  opener = () => Promise.reject(missing);
});

test("an address that no program opens is not opened, and one that is none of the web is refused", async () => {
  expect(await openUrl("https://a.example/1", () => {})).toBe(false);
  await expect(openUrl("file:///etc/passwd", () => {})).rejects.toThrow(
    "Only http and https links can be opened.",
  );
});

/** Opens an address with `code` as the opener program. */
function openWith(code: string, failed: () => void = () => {}): Promise<boolean> {
  opener = async () => spawn("sh", ["-c", code], { stdio: "ignore" });
  return openUrl("https://a.example/1", failed);
}

test("an opener that ends with a code has opened nothing; one that ends well or goes on has", async () => {
  expect(await openWith("exit 3")).toBe(false);
  expect(await openWith("exit 0")).toBe(true);
  expect(await openWith("sleep 1")).toBe(true);
});

test("an opener that fails after it was taken for one that opens tells it then, and one that ends well nothing", async () => {
  const failed = Promise.withResolvers<string>();
  expect(await openWith("sleep 1; exit 3", () => failed.resolve("failed"))).toBe(true);
  expect(await failed.promise).toBe("failed");
  let told = 0;
  expect(await openWith("exit 3", () => told++)).toBe(false);
  expect(await openWith("sleep 0.8", () => told++)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(told).toBe(0);
});

test("an editor that is not there is named, with where to name another one", async () => {
  await expect(editText("ed-of-nobody --wait", "text")).rejects.toThrow(
    "The editor ed-of-nobody was not found: set EDITOR or /settings editor.",
  );
});
