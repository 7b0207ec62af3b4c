/** The examples of the help run as printed: each noun in its own copy of a workspace that contains what the examples name. */
import { cpSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examplesOf } from "../../src/cli/help/help.ts";
import { tree } from "../../src/cli/tree.ts";
import { makeHome, type Home } from "../support/transcript.ts";

const WORKSPACE = readFileSync(path.join(import.meta.dirname, "../support/examples-world.sh"), "utf8");

/** Examples that are not run, and why; each pattern matches at least one line. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^parley( --| chat| archive view|$)|config edit$/, "is a screen or an editor, and needs a terminal"],
  [
    /^parley (tail|notify|event listen|webhook listen|serve|mcp|local logs -f|limits .*--watch)|--follow|^tail -f/,
    "goes on until it is stopped",
  ],
  [/^parley (ask|wait) /, "waits for another person"],
  [/^parley (login|logout|profile (add|use|show|remove|test|diff|data work))/, "is about a hosted account"],
  [/^parley webhook replay/, "needs a server of one's own"],
  [/--pause-outside/, "waits for the hours it names"],
  [/example\.org/, "needs the network"],
  [/-- npm test|^make |^git log/, "needs a project around it"],
  [/^parley screen run/, "needs an open screen"],
  [
    /^parley local |\$\(parley local status/,
    "moves, stops or empties the provider itself, as tests/cli/transcripts/local.txt does",
  ],
  [/slack-export|result\.json/, "needs an export of another service, as tests/cli/foreign.test.ts has"],
  [/^parley message open \S+$/, "opens a browser"],
];

/** Examples that correctly end with a code other than 0. */
const EXPECTED_EXITS: Readonly<Record<string, readonly [code: number, why: string]>> = {
  "parley message commit ana-7f3c": [7, "no message of this app waits to be committed"],
  "parley webhook check --file sqs.json": [7, "the embedded provider sends to no queue"],
  "parley channel list --predefined my-team --value team=red": [7, "the embedded provider stores no filters"],
  "parley outbox retry ana-7f3c --within 2m": [3, "nothing waits to be sent"],
  "parley outbox drop ana-7f3c": [3, "nothing waits to be sent"],
  "parley app diff settings.json": [14, "the app differs from the file"],
  "parley webhook verify body.json --signature 5f3a41d0": [7, "the signature is not that of the file"],
  'parley webhook verify - --signature "$SIGNATURE" < body.json': [
    7,
    "the signature is not that of the body",
  ],
  "parley segment diff testers people.csv": [14, "the segment differs from the file"],
  'parley segment diff testers --filter \'{"role":"user"}\'': [14, "the segment differs from the filter"],
  "parley file delete http://127.0.0.1:4100/files/7f3c/report.pdf --yes": [3, "no such file"],
  "parley file delete -c messaging:ops http://127.0.0.1:4100/files/7f3c/a.png --picture --yes": [
    3,
    "no such file",
  ],
  "parley campaign start spring.yaml --expect 900..1100": [
    7,
    "the file reaches fewer people than are expected",
  ],
  "parley campaign continue spring.yaml --confirm spring": [6, "it was sent whole"],
  "parley campaign diff spring summer": [14, "they have other names"],
  "parley campaign diff spring.yaml spring": [14, "they are not the same"],
  "parley user guest visitor --name Visitor --json": [5, "a new app lets no guests in"],
  "parley user guest visitor --jq .access_token": [5, "a new app lets no guests in"],
  "parley message commit ana-7f3c bo-7f3c": [9, "no message of this app waits to be committed"],
};

const SPRING =
  "parley campaign create --id spring --sender mira --text hello --to bo --to cy --channel-id 'news-{{receiver.id}}' --create-channels";
const SENT = "parley campaign start spring --confirm spring; parley campaign watch spring";
const LATER = "parley campaign schedule spring 2h --confirm spring --yes";
const INVITED =
  "parley member promote ana -c messaging:ops --yes; parley channel leave messaging:ops --yes; parley --as ana channel invite messaging:ops mira";

/** Setup run before each example, by the start of its command or of its line. */
const SETUP: Readonly<Record<string, string>> = {
  "message undelete": "parley message delete ana-7f3c bo-7f3c --yes",
  "message unreact": "parley message react ana-7f3c like; parley message react ana-7f3c love",
  "message unflag": "parley message flag bo-7f3c",
  "message open": "parley message edit ana-7f3c 'see http://127.0.0.1:9/tea'",
  "channel create": "parley channel delete --hard messaging:ops --confirm messaging:ops",
  "channel export": "rm -f ops.jsonl both.json all.jsonl",
  "channel accept": INVITED,
  "channel reject": INVITED,
  "user reactivate": "parley user deactivate bo --yes",
  "user restore": "parley user delete bo cy --yes",
  "user unblock": "parley user block bo cy",
  "user unmute": "parley user mute bo cy",
  "user unban": "parley user ban bo --by mira --yes",
  thread: "parley --as bo thread reply ana-7f3c hello",
  draft:
    "parley draft set -c messaging:ops almost; parley draft set -c messaging:ops --thread ana-7f3c almost",
  "reminder remove": "parley reminder set ana-7f3c --in 2h",
  device: "parley device add 9f2c41d0 --provider firebase",
  push: "parley push provider set firebase main --file credentials.json; parley push provider set apn main --file credentials.json; parley --as bo device add f1 --provider firebase --provider-name main",
  "push test":
    "parley push template enable firebase main reaction.new; parley push template enable apn main reaction.new",
  "role delete": "parley role create cook",
  "permission set": "parley permission create tidy-own --action DeleteMessage --owner",
  "permission delete": "parley permission create tidy-own --action DeleteMessage --owner",
  "channel-type delete": "parley channel-type create kitchen",
  "command get": "parley command create ticket 'Make a ticket' --args '[text]'",
  "command set": "parley command create ticket 'Make a ticket' --args '[text]'",
  "command delete": "parley command create ticket 'Make a ticket' --args '[text]'",
  "blocklist get": "parley blocklist create sweet sugar honey",
  "blocklist set": "parley blocklist create sweet sugar honey",
  "blocklist replace":
    "parley blocklist create sweet sugar honey; parley blocklist create rude mud; parley blocklist create polite mud",
  "blocklist delete": "parley blocklist create sweet sugar honey",
  location: "parley send messaging:ops --location 52.3702,4.8952 --for 8h here",
  "app backup": "rm -f app.yaml",
  "channel-type create": "parley channel-type delete kitchen --confirm kitchen",
  "command create": "parley command delete ticket --yes",
  "blocklist create": "parley blocklist delete sweet --yes",
  archive:
    "[ -d ~/archive ] || parley archive create ~/archive; [ -d ops.archive ] || parley archive create ops.archive messaging:ops",
  "archive create": "rm -rf ~/archive ops.archive",
  "archive merge": "rm -rf all.archive",
  export: "rm -rf ops.ndjson ops items.jsonl",
  campaign: `cp ../kept/spring.yaml .; ${SPRING}`,
  send: "parley channel create team:ops",
  "campaign create": "parley campaign delete spring --confirm spring",
  "campaign stop": LATER,
  "campaign unschedule": LATER,
  "campaign watch": SENT,
  "campaign stats": SENT,
  "campaign report": `${SENT}; rm -f spring.csv`,
  "campaign continue": SENT,
  "campaign diff": "parley campaign clone spring summer",
  segment: "parley segment create user --id testers; parley segment add testers bo ana",
  "segment create": "parley segment delete testers --yes",
  "parley campaign start spring.yaml": "parley campaign delete spring --confirm spring",
  // The journal is removed as well: messages recorded there are not sent again.
  "parley campaign schedule spring.yaml":
    "parley campaign delete spring --confirm spring; rm -f ~/state/parley/*/campaigns/spring.*",
  "campaign new": "rm -f spring.yaml campaign.schema.json",
  "campaign clone": "parley campaign delete summer --confirm summer",
  "import convert": "rm -f import.jsonl",
};

const POLL = "parley send messaging:ops --poll lunch.yaml 'Lunch?' --jq .id";
const VOTED = `id="$(${POLL})"; parley poll vote "$id" Noodles > /dev/null; echo "$id"`;

/**
 * Ids generated by the provider, and ids that must be of another kind of message: the start of the command, the id in the
 * help, and the command that prints the id in this workspace. The last match wins.
 */
const GENERATED_IDS: readonly (readonly [command: string, marker: string, from: string])[] = [
  ["moderation", "0b6c41d0", "parley moderation queue --limit 1 --jq .id"],
  ["message action", "mira-7f3c", "parley send messaging:ops '/giphy tea' --jq .id"],
  ["poll", "ana-7f3c", POLL],
  ["poll unvote", "ana-7f3c", VOTED],
  [
    "poll option remove",
    "ana-7f3c",
    `id="$(${POLL})"; parley poll option add "$id" Salad > /dev/null; echo "$id"`,
  ],
  ["location", "ana-7f3c", "parley send messaging:ops --location 52.3702,4.8952 --for 8h here --jq .id"],
  [
    "import",
    "5b2c41d0",
    "parley import upload people.jsonl --yes > /dev/null; parley import list --limit 1 --jq .id",
  ],
  ["task", "5b2c41d0", "parley channel export messaging:ops --no-wait --jq .task_id"],
];

/** Saving and restoring the prepared workspace with its files. */
const SAVE_WORKSPACE = "parley local snapshot save world > /dev/null && cp -r . ../kept";
const RESTORE_WORKSPACE = "parley local snapshot load world --yes; rm -rf ./* && cp -r ../kept/. .";

/** Whether a command changes something that other examples need; every command that asks for confirmation does. */
function changesWorkspace(name: string): boolean {
  return (
    (tree.definition(name) as { asks?: true }).asks === true ||
    /^channel (leave|hide|batch)|^channel (create|accept|reject)|^user (update|set)|^channel-type create|^moderation review|^campaign (create|stop|start|clone|resume)/.test(
      name,
    )
  );
}

/** The home in which the workspace was prepared once; every noun starts with a copy of it. */
let prepared: Home;
beforeAll(async () => {
  prepared = makeHome({ here: true });
  const { code, err } = await prepared.sh(`${WORKSPACE}\n${SAVE_WORKSPACE}\nparley local stop > /dev/null`);
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => prepared.end());

function copyOfPrepared(): Home {
  const home = makeHome({ here: true });
  // `~` holds the program's folders and what the examples keep there; the scripts that start it belong to each home.
  for (const name of readdirSync(prepared.folder))
    if (!["bin", "built", "calls"].includes(name))
      cpSync(path.join(prepared.folder, name), path.join(home.folder, name), { recursive: true });
  return home;
}

const nouns = Map.groupBy(tree.visiblePaths(), (name) => name.split(" ")[0]!);
const reasonOf = (line: string): string | undefined => NOT_RUN.find(([fits]) => fits.test(line))?.[1];

test("every listed exception matches an example that exists", () => {
  const all = tree.visiblePaths().flatMap((name) => examplesOf(tree, name));
  expect(NOT_RUN.filter(([fits]) => !all.some((line) => fits.test(line)))).toEqual([]);
  expect(Object.keys(EXPECTED_EXITS).filter((line) => !all.includes(line))).toEqual([]);
});

for (const [noun, names] of nouns) runExamples(noun, names);

function runExamples(noun: string, names: readonly string[]): void {
  const lines = names.flatMap((name) =>
    examplesOf(tree, name)
      .filter((line) => reasonOf(line) === undefined)
      .map((line) => ({ name, line })),
  );
  describe.skipIf(lines.length === 0)(`the examples of ${noun}`, () => {
    let home: Home;
    beforeAll(() => {
      home = copyOfPrepared();
    });
    afterAll(() => home.end());
    let isChanged = false;
    for (const { name, line } of lines)
      test(line, async () => {
        if (isChanged) await home.sh(RESTORE_WORKSPACE);
        isChanged = changesWorkspace(name);
        const before = Object.entries(SETUP).filter(([start]) =>
          [name, line].some((text) => `${text} `.startsWith(`${start} `)),
        );
        if (before.length > 0) {
          const { err } = await home.sh(before.map(([, script]) => script).join("\n"));
          // The setup may find its work done already, but it must not stop at a question.
          expect(err).not.toContain("Cannot prompt");
        }
        let typed = line;
        const made = GENERATED_IDS.findLast(
          ([of, marker]) => `${name} `.startsWith(`${of} `) && line.includes(marker),
        );
        if (made) typed = line.replace(made[1], (await home.sh(made[2])).out.trim());
        // The example reads standard input.
        if (/ -( |$)/.test(line) && !/[|<]/.test(line)) typed += " < credentials.json";
        let ran = await home.sh(typed);
        // A person would confirm; a script adds the flag named in the hint.
        const flag = /^hint: Add (--yes|--confirm \S+) to continue\.$/m.exec(ran.err)?.[1];
        if (ran.code === 2 && flag !== undefined) ran = await home.sh(`${typed} ${flag}`);
        expect([ran.code, ran.code === (EXPECTED_EXITS[line]?.[0] ?? 0) ? "" : ran.err]).toEqual([
          EXPECTED_EXITS[line]?.[0] ?? 0,
          "",
        ]);
      });
  });
}
