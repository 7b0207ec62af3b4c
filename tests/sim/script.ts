/** A story as data: who does or breaks what, and the pause after it, so that it can be stored, shortened and replayed. */
import { chooseAct, type Act, type Mix } from "../support/story.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { CALL_FAULTS, type CallFault } from "./network.ts";

export const CIDS = ["messaging:a", "messaging:b", "messaging:c", "messaging:d"];
export const NAMES = ["ada-desk", "ada-pocket", "ben"] as const;
/** Threads that every story begins with. */
export const THREADS = 2;

/** One thing that breaks; `ms` says for how long. */
export type Break =
  | { break: "sockets"; how: "reset" | "silence" | number }
  /** Nothing gets through. */
  | { break: "cut"; how: "reset" | "silence"; ms: number }
  /** No WebSocket gets through. */
  | { break: "blocked"; ms: number }
  | { break: "restart" | "crash" }
  /** Every token of this user so far is revoked; no new one is issued to the program during `ms`. */
  | { break: "revoked"; ms: number }
  /** The wall clock is off by this much from now on. */
  | { break: "skew"; ms: number }
  /** The next calls fail. */
  | { break: "calls"; faults: CallFault[] };

export type Step = { by: (typeof NAMES)[number]; wait: number } & (Act | Break);

export interface Script {
  /** Decides delays, duplicates and every random choice of the program. */
  seed: number;
  steps: Step[];
  /** Milliseconds before the first step. */
  opening: number;
  /** Milliseconds after which tokens expire; absent = never. */
  lifetime?: number;
  /** The provider supports neither idempotency keys nor event counts of long-polls. */
  forgetful: boolean;
  /** Probability of a fault in any call. */
  trouble: number;
  /** Faults of single calls: client and run → operation and its number → fault. */
  calls?: Record<string, Record<string, CallFault>>;
  /** Only failures that contain this text count. */
  only?: string;
}

export interface Size {
  operations: number;
  faults: number;
  mix?: Mix;
}

export const STORY: Size = { operations: 45, faults: 9 };
/** Stories of users who mark read and unread on several devices at once. */
export const MARKS: Size = { operations: 90, faults: 18, mix: "marks" };

const CODES = [1000, 1001, 1008, 1011, 1013];

function chooseBreak(random: Dice): Break {
  const long = (): number => 1000 + random.below(20_000);
  switch (random.below(13)) {
    case 0:
    case 1:
      return { break: "sockets", how: "reset" };
    case 2:
      return { break: "sockets", how: "silence" };
    case 3:
      return { break: "sockets", how: random.chance(0.8) ? random.pick(CODES) : 3000 + random.below(2000) };
    case 4:
    case 5:
      return { break: "cut", how: random.chance(0.5) ? "reset" : "silence", ms: long() };
    case 6:
      return { break: "blocked", ms: long() };
    case 7:
      return { break: "restart" };
    case 8:
      return { break: "crash" };
    case 9:
      return { break: "skew", ms: random.below(1_200_000) - 600_000 };
    case 10:
      return { break: "revoked", ms: random.chance(0.5) ? 0 : long() };
    default:
      return {
        break: "calls",
        faults: Array.from({ length: 1 + random.below(4) }, () => random.pick(CALL_FAULTS)),
      };
  }
}

const WAITS = [0, 1, 3, 10, 30, 100, 300, 1000, 4000];

/** The story of a seed; it changes when choices are added, so failing stories are stored as scripts. */
export function scriptOf(seed: number, size: Size = STORY): Script {
  const random = dice(seed).fork("script");
  const kinds = [...Array<"act">(size.operations).fill("act"), ...Array<"break">(size.faults).fill("break")];
  for (let i = kinds.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [kinds[i], kinds[j]] = [kinds[j]!, kinds[i]!];
  }
  const steps = kinds.map((kind): Step => ({
    by: random.pick(NAMES),
    wait: random.pick(WAITS),
    ...(kind === "act" ? chooseAct(random, CIDS, THREADS, size.mix) : chooseBreak(random)),
  }));
  return {
    seed,
    // Most stories begin with an open link, some during the first connection attempt.
    opening: random.chance(0.8) ? 400 : 5,
    forgetful: random.chance(0.2),
    ...(random.chance(0.2) && { lifetime: 10_000 + random.below(50_000) }),
    trouble: random.pick([0, 0.02, 0.1]),
    steps,
    // Marking as unread moves the read cursor back, and only that user is notified: this is no failure here.
    ...(size.mix === "marks" && { only: "(D9)" }),
  };
}

export function describeStep({ by, wait, ...what }: Step): string {
  return `${by} ${JSON.stringify(what)}, then ${wait} ms`;
}
