/** An app in a file: its backup recreates it on an empty provider, and an interrupted apply can be continued. */
import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let one: Home;
let other: Home;
beforeAll(() => {
  one = makeHome({ here: true });
  other = makeHome({ here: true });
});
afterAll(async () => {
  await one.end();
  await other.end();
});

const workFile = (home: Home, name: string): string => path.join(home.folder, "work", name);

/** An app file with every kind of setting. */
const APP = `
settings:
  reminders_interval: 600
  image_upload_config: {size_limit: 5000000, blocked_file_extensions: [.exe]}
  guest_user_creation_disabled: false
  user_search_disallowed_roles: [cook]
  event_hooks: [{hook_type: webhook, webhook_url: "http://127.0.0.1:9/hook", event_types: [message.new]}]
  push_config: {offline_only: true}
roles: [cook, waiter]
permissions:
  tidy: {name: Tidy, action: DeleteMessage, owner: true, tags: [kitchen]}
commands:
  ticket: {description: Make a ticket, args: "[text]", set: desk_set}
blocklists:
  sweet: {words: [Sugar, honey]}
  codes: {type: regex, words: ["\\\\d{9}"]}
channel_types:
  team:
    replies: false
    blocklists: [{blocklist: sweet, behavior: block}, {blocklist: codes, behavior: flag}]
    commands: [fun_set, ticket]
    grants: {cook: [tidy, read-channel], channel_member: [read-channel]}
  kitchen: {polls: true, max_message_length: 10, commands: [], automod_thresholds: {spam: {flag: 0.5}}}
grants: {guest: [search-user]}
push_providers:
  firebase/main: {description: Phones, firebase_credentials_json: "{}"}
  apn/main: {}
`;

test("planning an app's own backup finds no difference, and applying it to an empty provider gives the same backup", async () => {
  writeFileSync(workFile(one, "app.yaml"), APP);
  expect(await one.sh("parley apply app.yaml --yes --json=failed")).toMatchObject({
    code: 0,
    out: '{"failed":0}\n',
  });
  expect(await one.sh("parley plan app.yaml")).toMatchObject({ code: 0, out: "Nothing differs.\n" });
  await one.sh("parley app backup --out whole.yaml");
  expect(await one.sh("parley plan whole.yaml --prune")).toMatchObject({
    code: 0,
    out: "Nothing differs.\n",
  });

  copyFileSync(workFile(one, "whole.yaml"), workFile(other, "whole.yaml"));
  const applied = await other.sh("parley apply whole.yaml --prune --yes");
  expect([applied.code, applied.err]).toEqual([0, ""]);
  await other.sh("parley app backup --out again.yaml");
  expect(readFileSync(workFile(other, "again.yaml"), "utf8")).toBe(
    readFileSync(workFile(one, "whole.yaml"), "utf8"),
  );
});

test("an apply killed in the middle is completed by running the same command again", async () => {
  const lists = Object.fromEntries(
    Array.from({ length: 11 }, (_, n) => [`list-${n}`, { words: [`word${n}`] }]),
  );
  writeFileSync(workFile(other, "lists.json"), JSON.stringify({ blocklists: lists }));
  await other.sh("parley local fault add 'POST */blocklists' --delay 300ms");
  const names = async (): Promise<string[]> =>
    (await other.sh("parley blocklist list --all --jq .name")).out
      .split("\n")
      .filter((name) => name.startsWith("list-"));
  const child = spawn(other.built, ["apply", "lists.json"], {
    cwd: path.join(other.folder, "work"),
    env: other.env,
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while ((await names()).length < 3);
  child.kill("SIGKILL");
  await ended;
  await other.sh("parley local fault clear");
  const before = (await names()).length;
  expect(before).toBeLessThan(11);
  const { code, out } = await other.sh("parley apply lists.json --json=made");
  expect([code, JSON.parse(out)]).toEqual([0, { made: 11 - before }]);
  expect(await names()).toHaveLength(11);
});

test("apply during an outage exits with 10 and says how many changes were made", async () => {
  writeFileSync(workFile(other, "two.yaml"), "roles: [first-new]\ncommands: {later: {description: Later}}\n");
  await other.sh("parley local fault add 'POST */commands' --status 503 --times 100");
  const { code, err } = await other.sh("parley apply two.yaml --retries 0");
  expect([code, err]).toEqual([
    10,
    expect.stringContaining("1 of the changes were made; run the same command to make the others"),
  ]);
  await other.sh("parley local fault clear");
  expect((await other.sh("parley apply two.yaml")).out).toContain("1 made");
});

test("app set reports a setting that already has the value as unchanged", async () => {
  const updateOutput = async (words: string): Promise<string> =>
    (await one.sh(`parley app set ${words} --yes`)).out;
  await one.sh("parley app set --reset reminders_interval --yes");
  await one.sh("parley app set image_upload_config.size_limit=7 --yes");
  expect(await updateOutput("reminders_interval=601 image_upload_config.size_limit=7")).toBe(
    "reminders_interval changed; image_upload_config unchanged\n",
  );
  expect(await updateOutput("reminders_interval=601")).toBe("reminders_interval unchanged\n");
  expect(await updateOutput("--reset reminders_interval")).toBe("reminders_interval changed\n");
  expect(await updateOutput("--reset reminders_interval")).toBe("reminders_interval unchanged\n");
  await one.sh("parley app get --json > app.json");
  expect(await one.sh("parley app set --file app.json --yes --jq .changed")).toMatchObject({
    out: "[]\n",
  });
});

test("a dry run of apply exits like the real run, also when one step needs what another creates or deletes", async () => {
  const home = makeHome({ here: true });
  try {
    await home.sh("parley app backup --out before.yaml");
    writeFileSync(
      workFile(home, "more.yaml"),
      "roles: [baker]\nchannel_types:\n  bakery: {grants: {baker: [read-channel]}}\ngrants: {baker: [search-user]}\n",
    );
    for (const [file, calls] of [
      ["more.yaml", ["CreateRole", "CreateChannelType", "UpdateChannelType", "UpdateApp"]],
      ["before.yaml --prune", ["DeleteChannelType", "UpdateApp", "DeleteRole"]],
    ] as const) {
      const dry = await home.sh(`parley apply ${file} --dry-run --jq .operation`);
      expect([file, dry.code, dry.err]).toEqual([file, 0, ""]);
      expect(dry.out.split("\n").filter((line) => line !== "" && line !== "null")).toEqual(calls);
      const real = await home.sh(`parley apply ${file} --yes --json=failed`);
      expect([real.code, real.out, real.err]).toEqual([0, '{"failed":0}\n', ""]);
      expect((await home.sh(`parley plan ${file}`)).code).toBe(0);
    }
  } finally {
    await home.end();
  }
});
