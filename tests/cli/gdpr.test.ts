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
  await home.sh("parley user upsert zed; parley channel create messaging:room --member mira --member zed");
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
  expect([state, counts]).toEqual([
    "begun",
    { messages: 1, attachments: 0, reactions: 0, votes: 0, channels: 1 },
  ]);
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

const ok = async (line: string): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
};

test("an export has votes and answers in polls of others, and the bytes of sent files", async () => {
  await ok("parley user upsert di --name Di > /dev/null; parley member add di -c messaging:room > /dev/null");
  await ok("parley poll create Lunch? --option Soup --option Salad --answers -c messaging:room > /dev/null");
  const poll = (await ok("parley message list -c messaging:room --jq .id")).trim().split("\n").at(-1)!;
  await ok(
    `parley --as di poll vote ${poll} Soup > /dev/null; parley --as di poll vote ${poll} --answer 'both of them' > /dev/null`,
  );
  await ok(
    "echo 'bytes of di' > di.txt; parley --as di upload di.txt -c messaging:room --message > /dev/null",
  );
  // What somebody wrote in a channel that they have left is theirs, too.
  await ok(
    "parley member remove di -c messaging:room --yes > /dev/null; parley gdpr export di --out di > /dev/null",
  );
  const read = (name: string): string => readFileSync(path.join(home.folder, "work/di", name), "utf8");
  expect(
    read("votes.ndjson")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { answer_text?: string }).answer_text)
      .toSorted(),
  ).toEqual(["both of them", undefined]);
  const { file } = JSON.parse(read("sent-files.ndjson")) as { file: string };
  expect(read(file)).toBe("bytes of di\n");
  const proof = JSON.parse(read("proof.json")) as {
    counts: object;
    files: { name: string; sha256: string }[];
  };
  expect(proof.counts).toMatchObject({ messages: 1, attachments: 1, votes: 2, files: 1 });
  const sha256 = createHash("sha256").update("bytes of di\n").digest("hex");
  expect(proof.files).toContainEqual({ name: file, bytes: 12, sha256 });
});

test("a deletion is proved by a search of every file of the provider and of this machine", async () => {
  const answer = "the secret kettle of somebody";
  await ok(
    "parley user upsert ed --name 'Edward Longname' > /dev/null; parley member add ed -c messaging:room > /dev/null",
  );
  await ok(
    `parley --as ed send messaging:room '${answer}' > /dev/null; parley --as ed send messaging:room ok > /dev/null`,
  );
  await ok(
    "parley --as ed send messaging:room 'what everybody says' > /dev/null; parley send messaging:room 'what everybody says' > /dev/null",
  );
  await ok(
    `echo '{"channel":"past","user":"ed","text":"said long ago by ed","at":"2026-08-01T10:00:00Z"}' > ed.ndjson; parley local import ed.ndjson > /dev/null`,
  );
  // The cache of another person's screen has it, and so has a snapshot.
  await ok("parley message list -c messaging:room > /dev/null; parley local snapshot save early > /dev/null");
  const first = await home.sh("parley gdpr delete ed --proof ed.json --confirm ed --json");
  expect([first.code, first.err]).toEqual([
    9,
    expect.stringMatching(
      /ed is deleted, but what they wrote is still in \S+snapshots\/early\/provider\.db \(\d\)/,
    ),
  ]);
  const proof = JSON.parse(first.out) as Record<string, unknown>;
  expect(proof).toMatchObject({
    gone: false,
    state: "begun",
    short_texts: 1,
    removed: expect.arrayContaining([expect.stringContaining("/imports/")]),
  });
  expect(JSON.stringify(proof)).not.toContain("kettle");
  await ok("parley local snapshot delete early --yes > /dev/null");
  const second = JSON.parse(await ok("parley gdpr delete ed --proof ed.json --confirm ed --json")) as Record<
    string,
    unknown
  >;
  expect(second).toMatchObject({ gone: true, state: "done", remaining: [] });
  expect(second).not.toHaveProperty("traces");
  expect(second.not_reached).toContainEqual(expect.stringContaining("archive update"));
  expect(
    (second.searched as { by: string; place: string; looked_at: number; found: number }[]).map(
      ({ by, place, found }) => [by, place, found],
    ),
  ).toEqual([
    ["get", "provider", 0],
    ["search", "provider", 0],
    ["sync", "provider", 0],
    ["bytes", "provider", 0],
    ["bytes", "state", 0],
    ["bytes", "cache", 0],
  ]);
  const { out } = await home.sh(
    `grep -rla -e 'secret kettle' -e 'Edward Longname' -e 'said long ago' $HOME/.local $HOME/.cache`,
  );
  expect(out).toBe("");
});
