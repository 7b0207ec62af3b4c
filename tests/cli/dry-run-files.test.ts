/** A dry run writes no file and changes no local list, and says what it would do. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  await home.sh("parley user upsert mira ana bo --name Somebody");
  await home.sh("parley channel create messaging:tea --member ana --member mira");
  await home.sh("parley send messaging:tea 'see https://example.org' --as ana");
  await home.sh(
    "printf 'id: tea\\nsender_id: mira\\nmessage_template: {text: Hi}\\nchannel_template: {type: messaging}\\ncreate_channels: true\\nuser_ids: [ana]\\n' > tea.yaml",
  );
  await home.sh(
    "parley campaign start tea.yaml --confirm tea; parley campaign watch tea; parley campaign optout add bo",
  );
  await home.sh(
    `printf '{"channel":"welcome","user":"ana","text":"x","at":"2026-11-20T10:00:00Z"}\\n' > lines.ndjson`,
  );
  await home.sh("parley archive create kept messaging:tea; parley archive create other messaging:tea");
});
afterAll(() => home.end());

/** The files in the working folder and the campaigns' lists, with hashes of their contents. */
function written(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(home.folder, { recursive: true }) as string[]) {
    const file = path.join(home.folder, name);
    const isKept = /^(?:state|data|cache|config|run)\b/.test(name) && !/optouts|journal\.ndjson/.test(name);
    if (isKept || !statSync(file).isFile()) continue;
    found[name] = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 8);
  }
  return found;
}

test.each([
  ["campaign new fresh.yaml", /^would write fresh\.yaml and campaign\.schema\.json$/],
  ["campaign optout add ana bo", /^would add 1; 2 would want no campaigns$/],
  ["campaign optout remove bo", /^would remove 1; 0 would want no campaigns$/],
  ["campaign report tea --out tea.csv", /would write tea\.csv/],
  ["gdpr export bo --out exported", /^would export\tbo$/m],
  ["app backup --out app.yaml", /^would write app\.yaml$/],
  ["export messaging:tea --out tea.jsonl", /would|dry/],
  ["archive create fresh messaging:tea", /would|dry/],
  [
    "archive import fresh lines.ndjson",
    /^would write 1 channel, 1 person, 1 message and 0 reactions into fresh$/,
  ],
  ["archive update kept", /would|dry/],
  ["archive merge merged kept other", /would|dry/],
  ["import convert lines.ndjson --out turned.jsonl", /would|dry/],
  ["doctor --report --out found.json", /would write the report .*found\.json/],
])("%s -n", async (line, says) => {
  const before = written();
  const { code, out, err } = await home.sh(`parley ${line} -n`);
  expect([line, code, written()]).toEqual([line, expect.any(Number), before]);
  expect(`${out}${err}`.trim()).toMatch(says);
  expect([0, 7]).toContain(code);
});

test("a dry run of a file that is there already fails as the run would", async () => {
  expect((await home.sh("parley campaign new tea.yaml -n")).code).toBe(6);
  expect(
    (
      await home.sh(
        "parley campaign report tea --out whole.csv; parley campaign report tea --out whole.csv -n",
      )
    ).code,
  ).toBe(6);
});
