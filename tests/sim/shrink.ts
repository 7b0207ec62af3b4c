/** Shortens a failing story: removes steps and faults while it still breaks the same promise, within a bounded time. */
import { describeStep, type Script, type Step } from "./script.ts";
import { playScript, type StoryResult } from "./world.ts";

export interface Bounds {
  replays: number;
  ms: number;
}

const BOUNDS: Bounds = { replays: 250, ms: 60_000 };

/** The promises named in failures; a failure that names none stands for itself. */
const promises = (broken: readonly string[]): Set<string> =>
  new Set(broken.map((sentence) => /\(D\d+/.exec(sentence)?.[0] ?? sentence.slice(0, 30)));

type Replay = (script: Script) => Promise<Pick<StoryResult, "broken" | "happened">>;

/** The shortest story found that breaks a promise `script` breaks; random faults are first replaced by fixed ones. */
export async function shrink(
  script: Script,
  bounds: Bounds = BOUNDS,
  replay: Replay = playScript,
): Promise<Script> {
  const end = performance.now() + bounds.ms;
  let left = bounds.replays;
  const first = await replay(script);
  const wanted = promises(first.broken);
  let best = script;
  const stillFails = async (candidate: Script): Promise<boolean> => {
    if (left-- <= 0 || performance.now() > end) return false;
    const { broken } = await replay(candidate);
    const fails = [...promises(broken)].some((one) => wanted.has(one));
    if (fails) best = candidate;
    return fails;
  };
  if (script.trouble > 0) await stillFails({ ...script, trouble: 0, calls: first.happened });
  const over = (): boolean => left <= 0 || performance.now() > end;
  for (let before = Infinity; sizeOf(best) < before && !over();) {
    before = sizeOf(best);
    await leaveOut(best.steps, (steps: Step[]) => stillFails({ ...best, steps }));
    await leaveOut(callsOf(best), (calls) => stillFails({ ...best, calls: gathered(calls) }));
    if (best.forgetful) await stillFails({ ...best, forgetful: false });
    const { lifetime, ...lasting } = best;
    if (lifetime !== undefined) await stillFails(lasting);
  }
  return best;
}

const sizeOf = (script: Script): number => script.steps.length + callsOf(script).length;

type Call = [run: string, call: string, fault: NonNullable<Script["calls"]>[string][string]];

const callsOf = ({ calls = {} }: Script): Call[] =>
  Object.entries(calls).flatMap(([run, faults]) =>
    Object.entries(faults).map(([call, fault]): Call => [run, call, fault]),
  );

function gathered(calls: readonly Call[]): NonNullable<Script["calls"]> {
  const all: NonNullable<Script["calls"]> = {};
  for (const [run, call, fault] of calls) (all[run] ??= {})[call] = fault;
  return all;
}

/** Tries halves first, then quarters, down to single items. */
async function leaveOut<T>(all: readonly T[], stillFails: (left: T[]) => Promise<boolean>): Promise<void> {
  let list = [...all];
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = list.length - size; at > -size; at -= size) {
      const without = list.toSpliced(Math.max(0, at), size + Math.min(0, at));
      if (without.length < list.length && (await stillFails(without))) list = without;
    }
}

/** The output of a failing test: the failures, the story in words, and the line to store in the corpus. */
export function describeShortest(script: Script, broken: readonly string[]): string {
  return [
    ...broken,
    `the shortest story found that still fails (${script.steps.length} steps):`,
    ...script.steps.map((step) => `  ${describeStep(step)}`),
    ...callsOf(script).map(([run, call, fault]) => `  ${run}: ${call} → ${fault}`),
    'to keep it, write it to tests/sim/corpus/<name>.json with a line "was" that says what it was:',
    JSON.stringify({ was: "", script }),
  ].join("\n");
}
