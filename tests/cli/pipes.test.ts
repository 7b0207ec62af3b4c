/** The built program writing into a pipe: other people's text controls no terminal that shows it later, unless --raw is given. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";

const TEXT = 'red \u001b[31m\u009b tab\there\nline "two"';
let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana"]);
  await home.say("messaging:general", "ana", { id: "m1", text: TEXT, half: "x\ud800" });
});
afterAll(() => home.end());

const list = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await home.run(["message", "list", "-c", "messaging:general", ...words]);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

test("--csv keeps lines and tabs of a field and replaces other control characters; --raw keeps all", async () => {
  expect(await list("--csv")).toContain('"red \ufffd[31m\ufffd tab\there\nline ""two"""');
  expect(await list("--csv", "--raw")).toContain(`"${TEXT.replaceAll('"', '""')}"`);
});
test("--template keeps only its own lines and tabs; --raw keeps those of the data too", async () => {
  expect(await list("--template", "{{id}}\\t{{text}}\\n.")).toBe(
    'm1\tred \ufffd[31m\ufffd tab here line "two"\n.\n',
  );
  expect(await list("--template", "{{text}}", "--raw")).toBe(`${TEXT}\n`);
});
test("--json and --ndjson escape control characters and --raw does not; the value is the same", async () => {
  for (const form of ["--json=text", "--ndjson=text"]) {
    const text = await list(form);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const raw = await list(form, "--raw");
    expect(raw).toContain("\u009b");
    expect(JSON.parse(raw)).toEqual(JSON.parse(text));
  }
});
test("half a surrogate pair in a message does not end a list", async () => {
  expect(await list("--json", "--jq", ".[].half")).toBe("x\ufffd\n");
});
