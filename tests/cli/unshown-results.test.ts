/** A result that cannot be shown: refused before the first request if that can be known, else exit 12 that says what was done (specification/command-line.md §1). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const texts = async (): Promise<string[]> =>
  (await home.sh("parley message list -c messaging:tea --all --jq .text")).out.split("\n").filter(Boolean);

beforeAll(async () => {
  home = makeHome();
  await home.sh("parley user upsert ana bo; parley channel create messaging:tea --member ana");
});
afterAll(() => home.end());

test("a filter, field or template that cannot work is refused before anything is changed", async () => {
  const changes = [
    "parley send messaging:tea no",
    "parley thread reply root-1 no",
    "parley poll create -c messaging:tea No -o a",
    "echo no | parley send messaging:tea --lines -",
    "parley user set ana name=no",
    "parley api SendMessage type=messaging id=tea --field message.text=no",
  ];
  const outputs = ["--jq '.id |'", "--template '{{id'", "--json --csv"];
  for (const change of changes)
    for (const output of outputs) {
      const { code } = await home.sh(change.replace("parley", "parley ").replace(/( -)?$/, ` ${output}$1`));
      expect([change, output, code]).toEqual([change, output, 2]);
    }
  for (const field of ["--json=idd", "--ndjson=txet", "--template '{{txt}}'"])
    expect([field, (await home.sh(`parley send messaging:tea no ${field}`)).code]).toEqual([field, 2]);
  expect((await home.sh("parley user mute ana --json=usr")).code).toBe(2);
  expect(await texts()).toEqual([]);
  expect((await home.sh("parley poll list --jq .name")).out).toBe("");
  expect((await home.sh("parley user get ana --jq .name")).out).toBe("null\n");
  // A custom field of the line itself is a field.
  const custom = await home.sh("parley send messaging:tea yes --custom idd=1 --json=idd");
  expect([custom.code, custom.out]).toEqual([0, '{"idd":1}\n']);
});

test("after a send, exit 12 names the message", async () => {
  const before = await texts();
  for (const [line, reason] of [
    ["parley send messaging:tea a > /dev/full", "cannot be written: ENOSPC"],
    ["parley message send -c messaging:tea a --jq .text.deep", "the result cannot be shown"],
    ["parley send messaging:tea a --json > /dev/full", "cannot be written: ENOSPC"],
    [
      "{ parley send messaging:tea a; echo $? >&2; } | (exec <&-; sleep 3)",
      "cannot be written: it was closed",
    ],
  ] as const) {
    const { code, err } = await home.sh(line);
    const [, id] = /sent as (mira-[\w-]+), but /.exec(err) ?? [];
    expect(err).toContain(reason);
    expect((await home.sh(`parley message get ${id} --jq .text`)).out).toBe("a\n");
    // The last stage of a pipe gives its exit code.
    if (line.startsWith("{")) expect(err.trimEnd().split("\n").at(-1)).toBe("12");
    else expect([line, code]).toEqual([line, 12]);
  }
  expect(await texts()).toEqual([...before, "a", "a", "a", "a"]);
});

test("a run over many stops, and says how far it came", async () => {
  const { code, err } = await home.sh(
    "printf 'b\\nc\\nd\\n' | parley send messaging:tea --lines - > /dev/full",
  );
  expect([code, err]).toEqual([12, expect.stringMatching(/^error: sent as mira-/)]);
  expect((await texts()).slice(-2)).toEqual(["a", "b"]);
  expect((await home.sh("parley outbox list")).out).toBe("");
  const muted = await home.sh("parley user mute ana > /dev/full");
  expect([muted.code, muted.err]).toEqual([12, expect.stringContaining("done: ana muted")]);
});

test("a reader that leaves ends a run that changes nothing with 0", async () => {
  const { err } = await home.sh(
    "{ parley message list -c messaging:tea; echo $? >&2; } | (exec <&-; sleep 3)",
  );
  expect(err).toBe("0\n");
});
