/** Programs beside the screen that are not there are told in words, or to the caller. */
import { spawn } from "node:child_process";
import { beforeEach, expect, test, vi } from "vitest";
import { editText, openUrl } from "../../../src/tui/machine/outside.ts";

const missing = Object.assign(new Error("spawn xdg-open ENOENT"), { code: "ENOENT" });
let opener: () => Promise<unknown>;
vi.mock("open", () => ({ default: () => opener() }));
beforeEach(() => {
  opener = () => Promise.reject(missing);
});

test("an address that no program opens is not opened, and one that is none of the web is refused", async () => {
  expect(await openUrl("https://a.example/1")).toBe(false);
  await expect(openUrl("file:///etc/passwd")).rejects.toThrow("Only http and https addresses are opened.");
});

test("an opener that ends with a code has opened nothing; one that ends well or goes on has", async () => {
  const runs = (code: string): Promise<boolean> => {
    opener = async () => spawn("sh", ["-c", code], { stdio: "ignore" });
    return openUrl("https://a.example/1");
  };
  expect(await runs("exit 3")).toBe(false);
  expect(await runs("exit 0")).toBe(true);
  expect(await runs("sleep 1")).toBe(true);
});

test("an editor that is not there is named, with where to name another one", async () => {
  await expect(editText("ed-of-nobody --wait", "text")).rejects.toThrow(
    "The editor ed-of-nobody was not found: EDITOR, or /settings editor, names another one.",
  );
});
