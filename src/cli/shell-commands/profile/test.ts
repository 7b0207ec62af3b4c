/** `parley profile test`: tries to reach the provider of a profile, and with --full everything it should do. */
import { v4 } from "uuid";
import { writeNew } from "../../../commands/base/files/write-new.ts";
import { CommandError, command, rowView, type ArgValues } from "../../../commands/base/define-command.ts";
import type { Profile } from "../../../config/profiles.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { count } from "../../../text/words.ts";
import { confirm } from "../../base/prompts.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { patienceOf, waitNotice } from "../../run/run.ts";
import { openResults, outputForm, showOne } from "../../output/results.ts";
import { checkProvider, plannedSteps, type Judged, type Verdict } from "./check/run.ts";
import { profileOf, ONE_PROFILE } from "./profile.ts";

const TEST_ARGS = {
  ...ONE_PROFILE,
  full: {
    kind: "flag",
    help: "Try all that the program needs of a provider, in a channel of its own that is removed",
  },
  readOnly: { kind: "flag", help: "With --full: change nothing" },
  report: {
    kind: "file",
    help: "With --full: write a report to attach to a question; no names, texts, addresses or secrets",
  },
} as const;

const MARKS: Readonly<Record<Verdict, string>> = {
  fits: "✓",
  differs: "✗",
  absent: "✗",
  refused: "–",
  failed: "✗",
  skipped: "–",
};

/** Exit codes of a check, worst first. */
const EXITS: readonly [Verdict, number][] = [
  ["failed", 10],
  ["differs", 14],
  ["absent", 14],
];

const question = (name: string, hasSecret: boolean) => ({
  level: "mild" as const,
  question: `Make a channel${hasSecret ? " and two people" : ""} at the provider of profile ${name}, write to it, and remove all in the end?`,
});

/** What a report says of a step: the provider's sentence may name what only the user should see. */
const reportRow = ({ why, ...judged }: Judged): object => ({
  ...judged,
  ...(why !== undefined && judged.http === undefined ? { why } : {}),
});

async function writeCheckReport(
  shell: Shell,
  file: string,
  kind: Profile["kind"],
  all: readonly Judged[],
): Promise<void> {
  const versions = { parley: shell.host.version, node: process.versions.node };
  const report = { versions, platform: process.platform, profile: kind, steps: all.map(reportRow) };
  await writeNew(file, `${JSON.stringify(report, null, 2)}\n`, false);
  printNotice(shell, `the report is ${file}; read it before you send it`);
}

async function fullTest(shell: Shell, profile: Profile, args: ArgValues<typeof TEST_ARGS>): Promise<number> {
  const { name, kind } = profile;
  const { readOnly } = args;
  const hasSecret = kind === "secret" || kind === "local";
  // Whether the report can be written is known before anything is made.
  if (args.report !== undefined) await writeNew(args.report, "", true);
  if (shell.flags.dryRun) {
    for (const line of plannedSteps({ hasSecret, readOnly })) printNotice(shell, line);
    return 0;
  }
  if (!readOnly) await confirm(shell, question(name, hasSecret));
  const all: Judged[] = [];
  const results = openResults(shell, true);
  const isForPeople = outputForm(shell) === "table";
  await checkProvider({
    open: (options) => shell.host.open({ profile: name, inMemory: true, ...options }),
    hasSecret,
    polls: shell.settings.transport === "longpoll",
    as: shell.flags.as,
    readOnly,
    signal: shell.signal,
    random: v4().replaceAll("-", "").slice(0, 12),
    patience: patienceOf(shell.settings),
    onPatience: waitNotice(shell),
    now: shell.host.now,
    async onStep(judged) {
      all.push(judged);
      const { step, verdict, why, ms } = judged;
      const result = [verdict, why === undefined ? "" : cleanLine(why)].filter(Boolean).join(": ");
      const row = isForPeople
        ? { "": shell.settings.accessible ? "" : MARKS[verdict], step, result, ms }
        : { step, verdict, why, ms };
      await results.item(judged, rowView(row));
    },
    onLeft(left) {
      for (const what of left) printNotice(shell, `not removed: ${what}`);
    },
  });
  await results.end();
  if (args.report !== undefined) await writeCheckReport(shell, args.report, kind, all);
  return verdictExit(shell, all);
}

function verdictExit(shell: Shell, all: readonly Judged[]): number {
  const of = (verdict: Verdict): number => all.filter((judged) => judged.verdict === verdict).length;
  const counts = (Object.keys(MARKS) as Verdict[]).filter(of).map((verdict) => `${of(verdict)} ${verdict}`);
  printNotice(shell, `${count(all.length, "step")}: ${counts.join(", ")}`);
  return EXITS.find(([verdict]) => of(verdict) > 0)?.[1] ?? 0;
}

export default command({
  shell: true,
  asks: true,
  summary: "Test the address, key and token of a profile",
  examples: [
    "profile test work",
    "profile test work --json",
    "profile test work --full --report fits.json",
    "profile test work --full --read-only",
  ],
  allowsDryRun: true,
  args: TEST_ARGS,
  async run(shell: Shell, args) {
    const profile = profileOf(shell, args.name);
    if (args.full) return fullTest(shell, profile, args);
    if (args.readOnly || args.report !== undefined)
      throw new CommandError("usage", `${args.readOnly ? "--read-only" : "--report"} goes with --full.`);
    const { name } = profile;
    const { user, ms } = await shell.host.tryProfile(name, shell.signal);
    return showOne(shell, { profile: name, user, ms, ok: true }, `${name}: signed in as ${user}, ${ms} ms`);
  },
});
