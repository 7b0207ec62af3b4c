/** An erasure killed while the provider works is continued by the same line, and its proof covers everything. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  await home.sh("parley user upsert bo --name Bo");
  await home.sh("parley channel create messaging:tea --member bo --member mira");
  await home.sh("parley --as bo send '#tea' hello");
});
afterAll(() => home.end());

test("an erasure killed after its request waits for the same task when it is run again", async () => {
  const file = path.join(home.folder, "work", "proof.json");
  const proof = (): Record<string, unknown> =>
    existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
  const words = ["gdpr", "delete", "bo", "--proof", "proof.json", "--confirm", "bo"];
  await home.sh("parley local fault add 'GET */tasks/*' --status 503 --times 1000");
  const child = spawn(home.built, words, { cwd: path.dirname(file), env: home.env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (proof().task_id === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await ended;
  const { task_id, counts, files, state } = proof();
  expect([state, counts]).toEqual(["begun", { messages: 1, attachments: 0, reactions: 0, channels: 1 }]);
  await home.sh("parley local fault clear");
  const { code, out, err } = await home.sh(`parley ${words.join(" ")} --json`);
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ state: "done", gone: true, task_id, counts, files });
});

test("an export killed before its proof is done is repeated over its own files", async () => {
  await home.sh("parley user upsert cy --name Cy; parley gdpr export cy --out kept");
  const file = path.join(home.folder, "work", "kept", "proof.json");
  const done = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const { sha256: _, ...begun }: Record<string, unknown> = { ...done, state: "begun" };
  const sha256 = createHash("sha256").update(JSON.stringify(begun)).digest("hex");
  writeFileSync(file, JSON.stringify({ ...begun, sha256 }));
  expect(await home.sh("parley gdpr export cy --out kept --jq .state")).toMatchObject({
    code: 0,
    out: "done\n",
  });
});
