/** Twelve commands behind a proxy that writes each answer otherwise: where it means the same they print the same, and one odd value never crashes them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXITS } from "../../src/cli/base/exit.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { Home, type Ran } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { startAnswerProxy, type AnswerProxy } from "./answer-proxy.ts";
import { changeOne } from "./change.ts";
import { COMMAND_CORPUS, seedsOf, tryAll } from "./corpus.ts";
import { FORMS, rewrite } from "./service.ts";

const COMMANDS = [
  "channel list",
  "channel get messaging:tea",
  "message list -c messaging:tea",
  "message get tea-1",
  "message replies tea-1",
  "message reactions tea-1",
  "member list -c messaging:tea",
  "user list",
  "thread list",
  "unread",
  "search hello",
  "poll list",
];
/** Forms of an answer that are no other text when they are printed. */
const SILENT = [
  "dates with an offset",
  "dates of nine digits",
  "numbers as text",
  "lists as null",
  "new fields",
];
const CRASHED = /NaN|\bundefined\b|\[object|Cannot read|is not a function|\n +at /;

let home: Home;
let proxy: AnswerProxy | undefined;
let write: (answer: Record<string, unknown>) => void = () => undefined;
/** What each command prints behind a proxy that changes nothing. */
const plain = new Map<string, string>();

/** Dates are printed as they came: they are compared as times. */
const sameDates = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+02:00)/g, (date) => new Date(date).toISOString());

const run = (line: string): Promise<Ran> => home.sh(`parley ${line} --retries 0`);

beforeAll(async () => {
  home = new Home({ here });
  for (const line of [
    "channel create messaging:tea",
    "send messaging:tea --id tea-1 hello",
    "thread reply tea-1 there",
    "message react tea-1 like",
    "poll create -c messaging:tea Which --option Green --option Black",
  ])
    expect((await run(line)).code).toBe(0);
  proxy = await startAnswerProxy(home, { write: (answer) => write(answer) });
  for (const line of COMMANDS) {
    const { code, out } = await run(line);
    expect([line, code]).toEqual([line, 0]);
    plain.set(line, out);
  }
}, 120_000);
afterAll(async () => {
  proxy?.close();
  await home.end();
});

/** Three commands of a seed, each with a form that means the same, and with one odd value. */
async function tryCommands(seed: number, random: Dice): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const line = random.pick(COMMANDS);
    const form = random.pick(SILENT);
    write = (answer) => rewrite(answer, FORMS[form]!);
    const same = await run(line);
    const what = `seed ${seed}: ${line}, ${form}`;
    expect([what, same.code, sameDates(same.out)]).toEqual([what, 0, sameDates(plain.get(line)!)]);

    const changes: string[] = [];
    write = (answer) => {
      const { path, how } = changeOne(answer, random);
      changes.push(`${how} at ${path}`);
    };
    const odd = await run(line);
    const changed = `seed ${seed}: ${line}, ${changes.join(", ")}`;
    expect([changed, EXITS.some(({ code }) => code === odd.code)]).toEqual([changed, true]);
    expect([changed, CRASHED.exec(odd.out + odd.err)?.[0]]).toEqual([changed, undefined]);
  }
}

const { seeds, words } = seedsOf(COMMAND_CORPUS, 200);

test(`${words}: commands print the same of the same, and no odd value crashes them`, async () => {
  await tryAll(seeds, (seed) => tryCommands(seed, dice(seed)));
}, 3_600_000);
