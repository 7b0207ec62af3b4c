/** A token or secret is one word: what else stands beside it is said by name, wherever it comes from. */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { credentialsFile } from "../../src/config/paths.ts";
import { oneSecret, readSecret, secretIn } from "../../src/config/secrets.ts";
import { runTokenCommand } from "../../src/config/token-command.ts";
import { localUserOf } from "../../src/open/connection-target.ts";

test.each([
  ["t0ken\n# mine", "The file holds more than one line: leave only the token or secret itself."],
  ["t0ken\r\nother\r\n", "The file holds more than one line: leave only the token or secret itself."],
  ["Bearer t0ken", "The file holds more than one word: leave only the token or secret itself."],
  ["t0\u0000ken", "The file holds more than one word: leave only the token or secret itself."],
])("%j is refused", (text, message) => {
  expect(() => oneSecret(text, "The file")).toThrow(message);
});

test.each(["t0ken", "t0ken\n", "\n  t0ken\r\n"])("%j is a token with white space around it", (text) => {
  expect(oneSecret(text, "The file")).toBe("t0ken");
  expect(secretIn({ PARLEY_TOKEN: text }, "PARLEY_TOKEN")).toBe("t0ken");
});

test("the environment, the file of credentials and a token command are checked by this rule", async () => {
  const env = { HOME: mkdtempSync(path.join(tmpdir(), "parley-secret-")) };
  try {
    mkdirSync(path.dirname(credentialsFile(env)), { recursive: true });
    writeFileSync(credentialsFile(env), JSON.stringify({ work: "a\nb", fine: "a\n" }), { mode: 0o600 });
    await expect(readSecret(env, { name: "work" })).rejects.toThrow("The entry 'work' of");
    expect(await readSecret(env, { name: "fine" })).toBe("a");
    await expect(runTokenCommand(["printf", "a\\nb"], process.env)).rejects.toThrow(
      "What the token command printed holds more than one line",
    );
    expect(() => localUserOf({ ...env, PARLEY_TOKEN: "a\nb" })).toThrow(
      "PARLEY_TOKEN holds more than one line",
    );
    expect(secretIn({ PARLEY_API_SECRET: "" }, "PARLEY_API_SECRET")).toBeUndefined();
  } finally {
    rmSync(env.HOME, { recursive: true });
  }
});
