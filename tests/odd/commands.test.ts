/** Twelve commands behind a proxy that writes each answer otherwise: where it means the same they print the same, and one odd value never crashes them. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXITS } from "../../src/cli/base/exit.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { Home, type Ran } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { startAnswerProxy, type AnswerProxy, type Ways } from "./answer-proxy.ts";
import { changeOne } from "./change.ts";
import { COMMAND_CORPUS, seedsOf, tryAll } from "./corpus.ts";
import { drawRules, LACKED, ONE_VALUE, REFUSALS } from "./proxy-rules.ts";
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
/** Faults on the way, beside what is written otherwise. */
let faults: Ways = {};
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
    "send messaging:tea --id tea-2 again",
    "thread reply tea-1 there",
    "message react tea-1 like",
    "poll create -c messaging:tea Which --option Green --option Black",
  ])
    expect((await run(line)).code).toBe(0);
  writeFileSync(path.join(home.folder, "notes.txt"), "notes\n");
  proxy = await startAnswerProxy(home, {
    write: (answer) => write(answer),
    instead: (call) => faults.instead?.(call),
    after: (answer, call) => faults.after?.(answer, call) ?? answer,
    event: (event) => faults.event?.(event) ?? [event],
  });
  for (const line of COMMANDS) {
    const { code, out } = await run(line);
    expect([line, code]).toEqual([line, 0]);
    plain.set(line, out);
  }
});
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

/** Exit codes that a rule may lead to, besides 0: of a read, and further ones of a change, which reads before (specification/command-line.md §2). */
const MAY_END: readonly [rules: readonly string[], read: readonly number[], write: readonly number[]][] = [
  [Object.keys(REFUSALS), [10], [8, 10, 11]],
  [["cut answers"], [1, 10], [11]],
  [["success without JSON"], [1], [11]],
  [Object.keys(LACKED), [3, 5], [3, 5, 11]],
  [[ONE_VALUE], [1, 3, 6, 7], [1, 3, 6, 7, 11]],
  [Object.keys(FORMS), [3], [3]],
];
const mayEnd = (on: ReadonlySet<string>, at: 1 | 2): Set<number> =>
  new Set([
    0,
    ...MAY_END.flatMap((row) => (row[0].some((rule) => on.has(rule)) ? row.slice(1, at + 1).flat() : [])),
  ] as number[]);

/** Changes that leave something which can be counted at the provider: the line, and how often it is there. */
const CHANGES: readonly [line: (word: string) => string, count: (word: string) => Promise<number>][] = [
  [(word) => `send messaging:tea ${word}`, (word) => countOf(word)],
  [(word) => `thread reply tea-1 ${word}`, (word) => repliesOf(word)],
  [(word) => `message edit tea-2 ${word}`, (word) => countOf(word)],
  [(word) => `message react tea-2 ${word}`, (word) => reactionsOf(word)],
  [(word) => `poll create ${word} --option Green --id ${word}`, (word) => pollsOf(word)],
  [(word) => `send messaging:tea ${word} --file notes.txt`, (word) => countOf(word)],
  [(word) => `draft set -c messaging:tea ${word}`, (word) => draftsOf(word)],
];
const countOf = async (word: string): Promise<number> =>
  (await home.messages("messaging:tea")).filter(({ text }) => text === word).length;
const repliesOf = async (word: string): Promise<number> =>
  (await home.call("GET", "/messages/tea-1/replies?limit=300", undefined, "ana")).messages.filter(
    ({ text }: { text: string }) => text === word,
  ).length;
const reactionsOf = async (word: string): Promise<number> =>
  (await home.call("GET", "/messages/tea-2/reactions", undefined, "ana")).reactions.filter(
    ({ type }: { type: string }) => type === word,
  ).length;
const pollsOf = (word: string): Promise<number> =>
  home.call("GET", `/polls/${word}`, undefined, "ana").then(
    () => 1,
    () => 0,
  );
const draftsOf = (word: string): Promise<number> =>
  home.call("GET", "/channels/messaging/tea/draft", undefined, "ana").then(
    ({ draft }) => Number(draft.message.text === word),
    () => 0,
  );

/** A read and a change, on a way with faults. */
async function tryFaults(seed: number, random: Dice): Promise<void> {
  const rules = drawRules(random);
  const word = `w${seed}`;
  const [lineOf, count] = random.pick(CHANGES);
  const read = random.pick(COMMANDS);
  write = rules.ways.write;
  faults = rules.ways;
  const looked = await run(read);
  const changed = await run(`${lineOf(word)} --max-wait 2s --yes`);
  write = () => undefined;
  faults = {};
  for (const [line, { code, out, err }, at] of [
    [read, looked, 1],
    [lineOf(word), changed, 2],
  ] as const) {
    const what = `seed ${seed}: ${line}, ${rules.told()}: ${code} ${err}`;
    expect([what, mayEnd(rules.on, at).has(code ?? -1)]).toEqual([what, true]);
    expect([what, CRASHED.exec(out + err)?.[0]]).toEqual([what, undefined]);
  }
  // Done is there once, what may have been done once at most, and what failed is not there.
  const there = await count(word);
  const what = `seed ${seed}: ${lineOf(word)}, ${rules.told()}: ${changed.code} ${changed.err}`;
  const mayBe = changed.code === 0 ? [1] : changed.code === 11 || changed.code === 8 ? [0, 1] : [0];
  expect([what, mayBe]).toEqual([what, expect.arrayContaining([there])]);
}

test(`${words}: on a way with faults a command ends with the code of what happened, and changes once at most`, async () => {
  await tryAll(seeds, (seed) => tryFaults(seed, dice(seed).fork("faults")));
}, 7_200_000);
