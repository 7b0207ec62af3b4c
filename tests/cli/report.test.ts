/** `parley doctor --report`: one file to send that contains the fault but no texts, names or secrets. */
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { Home } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = new Home({ user: "marlene" });
});
afterEach(() => home.end());

interface Report {
  what_is_in_it: string[];
  versions: { parley: string; node: string };
  settings: Record<string, unknown>;
  findings: { check: string; message: string }[];
  provider: Record<string, unknown>;
  files: { root: string; name: string; size: number; mode: string }[];
  logs: Record<"parley" | "provider", Record<string, unknown>[]>;
}
const read = (file: string): Report =>
  JSON.parse(readFileSync(path.join(home.folder, file), "utf8")) as Report;

test("contains findings, versions, files and the places of errors, and no names, texts, tokens or secrets", async () => {
  const pid = await home.up();
  await home.channel("k0nspiracy", ["marlene", "gustav"]);
  expect((await home.run(["send", "#k0nspiracy", "the wh1te rabbit"])).code).toBe(0);
  const token = signToken({ user_id: "marlene" }, "s");
  await home.sh(
    `printf %s '${token}' | parley login w0rkplace --url https://chat.h1dden.example --key k3y-of-ours --with-token --no-test`,
  );
  mkdirSync(home.data, { recursive: true });
  appendFileSync(
    path.join(home.data, "provider.log"),
    `${JSON.stringify({
      time: "2026-01-01T00:00:00.000Z",
      level: "error",
      pid: 1,
      text: "SendMessage failed unexpectedly",
      op: "SendMessage",
      status: 500,
      request: "re-1",
      error: "the wh1te rabbit",
      stack: `SyntaxError: Unexpected token 'w', "the wh1te rabbit" is not JSON\n    at parse (/opt/parley/main.js:1:2)\n    at gustav says the wh1te rabbit`,
    })}\nthe wh1te rabbit, in words of another program\n`,
  );
  const ran = await home.run([
    "doctor",
    "--report",
    "--out",
    "report.json",
    "--timeout",
    "4s",
    "--max-wait",
    "20s",
  ]);
  // The profile's host does not exist: the report is about that.
  expect(ran.code).toBe(10);
  expect(ran.err).toContain("check it before you send it");
  expect(statSync(path.join(home.folder, "report.json")).mode & 0o777).toBe(0o600);

  const report = read("report.json");
  for (const line of report.what_is_in_it) expect(ran.err).toContain(line);
  expect(report.versions.node).toBe(process.versions.node);
  expect(report.settings).toMatchObject({ timeout: 4000, user: "(set)" });
  expect(report.findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["profile", "provider", "storage"]),
  );
  expect(report.provider).toMatchObject({ state: "running", pid });
  expect(report.files.map(({ root, name }) => `${root} ${name}`)).toEqual(
    expect.arrayContaining([
      "state <1>/<2>/state.db",
      "provider provider.db",
      "provider secret",
      "config credentials.json",
    ]),
  );
  const fault = report.logs.provider.find(({ request }) => request === "re-1")!;
  expect(fault).toMatchObject({
    op: "SendMessage",
    status: 500,
    at: expect.stringContaining("SyntaxError\n    at parse"),
  });

  const text = JSON.stringify(report);
  const { secret, apiKey } = home.provider()!;
  for (const word of [
    secret,
    apiKey,
    token,
    "k3y-of-ours",
    "h1dden",
    "w0rkplace",
    "marlene",
    "k0nspiracy",
    home.folder,
  ])
    expect({ word, isContained: text.includes(word) }).toEqual({ word, isContained: false });
  expect(text).not.toMatch(/wh1te|gustav/);
});

test("does not overwrite a file, and is made even if the provider does not answer", async () => {
  const pid = await home.up();
  process.kill(pid, "SIGSTOP");
  const args = ["doctor", "--report", "--out", "report.json", "--timeout", "200ms", "--max-wait", "1s"];
  expect((await home.run(args)).code).toBe(10);
  expect(read("report.json").provider).toEqual({ state: "silent", pid, listening: true });
  const again = await home.run(args);
  expect(again.code).toBe(6);
  expect(again.err).toContain("already exists");
});
