/** Every reading command of the table behind a proxy with one fault: a refused or late first answer changes nothing, and no odd answer or missing route crashes one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXITS } from "../../src/cli/base/exit.ts";
import type { CommandRow } from "../../src/commands/base/command-table.ts";
import { commands } from "../../src/commands/table.gen.ts";
import { signToken } from "../../src/wire/token.ts";
import { Home, type Ran } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { startProxy, type AnswerProxy, type Ways } from "./answer-proxy.ts";
import { REFUSALS } from "./proxy-rules.ts";
import { rewrite } from "./service.ts";

/** What there is of each kind or name of an argument; anything else is a word that names nothing. */
const THERE: Readonly<Record<string, string>> = {
  channel: "messaging:tea",
  message: "tea-1",
  thread: "tea-1",
  user: "ana",
  poll: "which",
  words: "hello",
  type: "messaging",
  role: "user",
  command: "giphy",
  permission: "create-channel",
};
/** They wait for what does not come. */
const WAITS = /\b(?:wait|watch)$/;
/** They read this machine alone, or a file. */
const OF_MACHINE = /^(?:archive|outbox|plan|limits)\b/;
/** They need the rights of a moderator. */
const MODERATORS = /^moderation (?:ban list|future-bans|flags)$/;

type Arg = NonNullable<CommandRow["args"]>[string] & {
  positional?: true | "rest";
  optional?: true;
  defaultsToCurrent?: true;
};

interface OneShot {
  line: string;
  /** With the app's secret. */
  byApp: boolean;
}

/** A command with the arguments that it needs. */
function lineOf(path: string): OneShot {
  const { args = {}, needs } = commands.row(path);
  const values = (Object.entries(args) as [string, Arg][]).flatMap(([name, arg]) => {
    const value = THERE[name] ?? THERE[arg.kind] ?? "tea";
    const isThere = value !== "tea" || arg.defaultsToCurrent;
    if (arg.positional && (!arg.optional || isThere)) return [value];
    return arg.defaultsToCurrent ? [`--${name} ${value}`] : [];
  });
  const byApp = needs === "secret" || MODERATORS.test(path);
  return { line: `${path} ${values.join(" ")} --max-wait 3s`, byApp };
}

const LINES = commands.paths
  .filter((path) => commands.row(path).changes === "nothing")
  .filter((path) => !WAITS.test(path) && !OF_MACHINE.test(path))
  .map(lineOf);

/** How late the first answer is, ms; ten seconds where the environment says so. */
const LATE = Number(process.env.PARLEY_ODD_LATE ?? 200);
const CRASHED = /NaN|\bundefined\b|\[object|Cannot read|is not a function|\n +at /;

type Json = Record<string, unknown>;
const nullUsers = (answer: Json): void =>
  rewrite(answer, (value, key) => (key === "user" && typeof value === "object" ? null : value));
const nullInMutes = (answer: Json): void =>
  rewrite(answer, (value, key) =>
    key === "channel_mutes" || key === "mutes"
      ? [...((value as unknown[] | null) ?? []), { channel: null, target: null, user: null }]
      : value,
  );

/** Faults of a run of one command; `same`: it prints what it does without. */
const FAULTS: Readonly<Record<string, { ways(): Ways; same?: true }>> = {
  "null users": { ways: () => ({ write: nullUsers }) },
  "nothing but null in mutes": {
    ways: () => ({
      write: nullInMutes,
      event: (event) => {
        nullInMutes(event);
        return [event];
      },
    }),
  },
  "no route for GET": {
    ways: () => ({
      instead: ({ method }) => (method === "GET" ? { status: 404, text: "404 page not found" } : undefined),
    }),
  },
  "a first call refused for its rate": {
    same: true,
    ways() {
      let n = 0;
      return { instead: (call) => (n++ === 0 ? REFUSALS["429 for a second"]!(call) : undefined) };
    },
  },
  "a late first answer": {
    same: true,
    ways() {
      let n = 0;
      return { after: (answer) => (n++ === 0 ? { ...answer, wait: LATE } : answer) };
    },
  },
};

let home: Home;
/** A proxy with its profiles: one command at a time runs in it, several lanes at once. */
interface Lane {
  n: number;
  ways: Ways;
  proxy: AnswerProxy;
}
const lanes: Lane[] = [];
const LANES = 8;
const plain = new Map<string, Ran>();
const run = (line: string): Promise<Ran> => home.sh(`parley ${line}`);
const runIn = ({ n }: Lane, { line, byApp }: OneShot): Promise<Ran> =>
  run(`${line} --profile ${byApp ? "ops" : "odd"}${n}`);

async function openLane(n: number): Promise<Lane> {
  const { url, apiKey, secret } = home.provider()!;
  const lane: Lane = { n, ways: {}, proxy: undefined as never };
  lane.proxy = await startProxy(url, {
    write: (answer) => lane.ways.write?.(answer),
    instead: (call) => lane.ways.instead?.(call),
    after: (answer, call) => lane.ways.after?.(answer, call) ?? answer,
    event: (event) => lane.ways.event?.(event) ?? [event],
  });
  const to = `--url ${lane.proxy.url} --key ${apiKey} --no-test`;
  const token = signToken({ user_id: "ana" }, secret);
  for (const line of [
    `printf %s '${secret}' | parley login ops${n} ${to} --kind secret --secret-stdin`,
    `printf %s '${token}' | parley login odd${n} ${to} --with-token`,
  ])
    expect(await home.sh(line)).toMatchObject({ code: 0 });
  return lane;
}

/** Runs every command, each in a lane of its own meanwhile. */
async function inLanes(work: (lane: Lane, one: OneShot) => Promise<void>): Promise<void> {
  const left = [...LINES];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let one = left.shift(); one; one = left.shift()) await work(lane, one);
    }),
  );
}
/** Times and ages differ from run to run. */
const timeless = (text: string): string =>
  text.replace(/\d+(?:\.\d+)? ?m?s\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");

beforeAll(async () => {
  home = new Home({ here });
  for (const line of [
    "channel create messaging:tea",
    "send messaging:tea --id tea-1 hello",
    "thread reply tea-1 there",
    "message react tea-1 like",
    "draft set -c messaging:tea later",
    "segment create user --id tea --filter {}",
    "blocklist create tea coffee",
    "campaign create --id tea --sender ana --text hi --to ana --channel-id news-1 --create-channels",
    "poll create -c messaging:tea Which --option Green --option Black --id which",
  ])
    expect([line, await run(line)]).toMatchObject([line, { code: 0 }]);
  for (let n = 0; n < LANES; n++) lanes.push(await openLane(n));
  await inLanes(async (lane, one) => void plain.set(one.line, await runIn(lane, one)));
}, 600_000);
afterAll(async () => {
  for (const { proxy } of lanes) proxy.close();
  await home.end();
});

test("most reading commands find something to print in this world", () => {
  const silent = [...plain].filter(([, { code }]) => code !== 0).map(([line]) => line);
  expect(plain.size).toBeGreaterThan(50);
  expect(silent.length, silent.join("\n")).toBeLessThan(plain.size / 4);
});

test.each(Object.entries(FAULTS))(
  "%s: every reading command ends in words",
  async (_, { ways: of, same }) => {
    const wrong: unknown[] = [];
    await inLanes(async (lane, one) => {
      const { line } = one;
      lane.ways = of();
      const { code, out, err } = await runIn(lane, one);
      lane.ways = {};
      const before = plain.get(line)!;
      const isSame = code === before.code && timeless(out) === timeless(before.out);
      const isKnown = EXITS.some((exit) => exit.code === code);
      if (!isKnown || CRASHED.test(out + err) || (same && !isSame))
        wrong.push([line, code, out, err, same && [before.code, before.out]]);
    });
    expect(wrong).toEqual([]);
  },
  3_600_000,
);
