/** Plays the lines of tests/commands/requests: the requests each command sends, with parameters and bodies, and what it prints of the answers. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flagName } from "../../src/commands/base/args.ts";
import { REPORT_ARGS } from "../../src/commands/base/bulk/report.ts";
import { commands } from "../support/commands.ts";
import { playLine, readLines } from "../support/command-player.ts";

const folder = path.join(import.meta.dirname, "requests");
const files = readdirSync(folder).toSorted();

let work: string;
beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), "parley-requests-"));
  mkdirSync(path.join(work, "files"));
  const write = (name: string, text: string): void => writeFileSync(path.join(work, "files", name), text);
  write("settings.json", `\uFEFF{"reminders_interval":60,"name":"Tea","permission_version":"v2"}`);
  write("push.json", `\uFEFF{"firebase_credentials_json":"{}","firebase_data_template":"{}"}`);
  write("type.json", `\uFEFF{"reminders":true,"max_message_length":300}`);
  write("sqs.json", `{"sqs_url":"https://sqs.example.com/q","sqs_key":"K","sqs_secret":"S"}`);
  write("list.json", "[1]");
  write("broken.json", "{");
  write("people.jsonl", `{"type":"user","data":{"id":"ana","role":"user"}}\n`);
  write(
    "members.jsonl",
    `{"type":"member","data":{"channel_type":"messaging","channel_id":"ops","user_id":"bo"}}\n`,
  );
  write("people.csv", "id,name,teams,floor\nbo,Bo,red blue,3\ncy,,,\n");
  write("words.txt", "tea\r\n  milk \n\ntea\n");
  write(
    "autumn.yaml",
    "id: autumn\nname: Autumn\nsender_id: mira\nmessage_template: {text: 'hi {{receiver.name}}'}\naudience: {ids: ids.txt}\n",
  );
  for (const id of ["winter", "snow", "ice"])
    write(`${id}.yaml`, `id: ${id}\nsender_id: mira\nmessage_template: {text: brr}\nuser_ids: [ana, bo]\n`);
  write("letters.csv", "id,code\nana,A1\nbo,B2\n");
  write(
    "letters.yaml",
    "id: letters\nsender_id: mira\nmessage_template: {text: 'code {{receiver.code}}', custom: {promo: true}}\nskip_push: true\naudience: {csv: letters.csv}\n",
  );
  write(
    "app.yaml",
    "settings: {reminders_interval: 600}\nroles: [cook]\nblocklists: {sweet: {words: [Tea]}}\ngrants: {user: [search-user]}\n",
  );
  write("ids.txt", "ana\nbo\nzed\nbo\n");
  write("cids.csv", "cid,members\nmessaging:ops,3\nmessaging:tea,1\n");
  write("spring.yaml", "name: Spring\nsender_id: mira\nuser_ids: [bo]\nmessage_template: {text: hi}\n");
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** `vitest run tests/commands/requests.test.ts -u` rewrites the files: review the recorded requests and output in the diff. */
test.each(files)(
  "each line of %s sends the requests and prints the output recorded below it",
  async (file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const out: string[] = [];
    for (const block of readLines(text)) out.push(...block.source, ...(await playLine(block, work)));
    await expect(`${out.join("\n")}\n`).toMatchFileSnapshot(path.join(folder, file));
  },
);

/** Commands that send nothing in their lines here and need a profile all the same, and why. */
const PROFILE_ONLY: Readonly<Record<string, string>> = {
  ask: "waits for messages on the live connection",
  wait: "waits for messages on the live connection",
  "campaign optout add": "each app has a list of its own",
  "campaign optout list": "each app has a list of its own",
  "campaign optout remove": "each app has a list of its own",
  "outbox drop": "each user has unsent messages of their own",
  "outbox list": "each user has unsent messages of their own",
  "outbox retry": "each user has unsent messages of their own",
};

test("a command that sends no request needs no profile, or says why it does", () => {
  const sending = new Set<string>();
  const names = Object.keys(commands).toSorted((a, b) => b.length - a.length);
  for (const file of files) {
    let name: string | undefined;
    for (const line of readFileSync(path.join(folder, file), "utf8").split("\n")) {
      if (line.startsWith("$ ")) name = names.find((one) => `${line.slice(2)} `.startsWith(`${one} `));
      else if (line.startsWith("> ") && name !== undefined) sending.add(name);
    }
  }
  const silent = names.filter((name) => !sending.has(name));
  const offline = names.filter((name) => commands[name]!.offline);
  expect(silent.toSorted()).toEqual([...offline, ...Object.keys(PROFILE_ONLY)].toSorted());
});

test("every command and every flag occurs in a line", () => {
  const blocks = files.flatMap((file) => readLines(readFileSync(path.join(folder, file), "utf8")));
  const typed = blocks.map(({ line }) => ` ${line} `);
  const missing = Object.entries(commands).flatMap(([name, { args }]) => {
    const lines = typed.filter((line) => line.startsWith(` ${name} `));
    if (lines.length === 0) return [name];
    return (
      Object.entries(args)
        // The same for every bulk write; tests/cli/bulk.test.ts covers it.
        .filter(([, row]) => !row.positional && !Object.values<object>(REPORT_ARGS).includes(row))
        .map(([arg, row]) => [`--${flagName(arg)}`, row.short] as const)
        .filter(
          ([long, short]) =>
            !lines.some((line) => line.includes(` ${long} `) || (short && line.includes(` -${short} `))),
        )
        .map(([long]) => `${name} ${long}`)
    );
  });
  // Commands that run until stopped, or until others act, are covered by tests/cli/live.test.ts and the transcript of gates.
  expect(missing).toEqual(["ask", "limits --watch", "limits --within", "wait"]);
});
