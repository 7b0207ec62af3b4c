/** Which run a report or an interrupted export belongs to, and whether the provider still shows what it calls done (specification/command-line.md §1). */
import { isNotFound } from "../../../wire/errors.ts";
import { CommandError, type Args, type RunIdentity } from "../define-command.ts";

/** Arguments that a resumed run may change: how it is reported and how long it may take. */
const FREE = new Set(["file", "report", "resume", "maxErrors", "noWait"]);
/** Kinds whose value is read anew by each run. */
const FREE_KINDS = new Set(["time", "duration", "number", "words", "file"]);

/** What a run is about besides its items: the channel, the role, the flags that change what is done. */
export function targetOf(rows: Args, values: Readonly<Record<string, unknown>>): RunIdentity["target"] {
  const isPart = ([name, row]: [string, Args[string]]): boolean =>
    !FREE.has(name) && !FREE_KINDS.has(row.kind) && !(row.kind === "list" && row.positional);
  const isGiven = (value: unknown): boolean =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(rows)
      .filter(isPart)
      .map(([name]) => [name, values[name]] as const)
      .filter(([, value]) => isGiven(value)),
  );
}

type Facts = Readonly<Record<string, unknown>>;

const factsOf = ({ target, ...rest }: RunIdentity): Facts => ({ ...target, ...rest });

/** The first thing in which a run differs from the one that it would continue, as part of a sentence. */
export function runDifference(before: RunIdentity, now: RunIdentity): string | undefined {
  const [then, here] = [factsOf(before), factsOf(now)];
  const shown = (value: unknown): string =>
    typeof value === "string" ? value : JSON.stringify(value ?? null);
  for (const name of new Set([...Object.keys(then), ...Object.keys(here)])) {
    const [was, is] = [shown(then[name]), shown(here[name])];
    if (was !== is) return `its ${name} was ${was}, and now it is ${is}`;
  }
  return undefined;
}

/** Throws `CommandError` (conflict) naming the first difference. */
export function requireSameRun(file: string, before: RunIdentity, now: RunIdentity): void {
  const difference = runDifference(before, now);
  if (difference !== undefined)
    throw new CommandError(
      "conflict",
      `${file} is the report of another run: ${difference}.`,
      "Repeat the line of that run with --resume, or begin another report with --report.",
    );
}

/** Throws `CommandError` (conflict) if the provider shows none of these items as done. Without permission to look, they are believed. */
export async function requireShown(
  file: string,
  ids: readonly string[],
  isDone: (id: string) => Promise<boolean>,
): Promise<void> {
  for (const id of ids) if (await isShown(() => isDone(id))) return;
  if (ids.length === 0) return;
  throw new CommandError(
    "conflict",
    `${file} says that ${ids[0]} is done, but the provider does not show it: nothing in the report can be believed.`,
    "Look at the provider, or begin another report with --report.",
  );
}

async function isShown(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if ((error as { status?: number }).status === 403) return true;
    throw error;
  }
}

/** Whether a read finds its object. */
export async function exists(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
