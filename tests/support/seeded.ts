/** Repeatable randomness: one number decides every choice of a test, so that the seed is enough to reproduce a failure. */
import type { Random } from "../../src/core/base/ports.ts";

export interface Dice extends Random {
  /** An integer, 0 ≤ n < below. */
  below(below: number): number;
  /** True with this probability. */
  chance(p: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** An independent stream of choices, whatever number this one has already made. */
  fork(name: string): Dice;
}

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export function dice(seed: number): Dice {
  let a = seed >>> 0;
  const float = (): number => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const hex = (): string =>
    Math.floor(float() * 65536)
      .toString(16)
      .padStart(4, "0");
  const below = (limit: number): number => Math.floor(float() * limit);
  return {
    float,
    below,
    chance: (p) => float() < p,
    pick: (list) => list[below(list.length)]!,
    uuid: () => `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${hex()}`,
    fork: (name) => dice(hash(`${seed} ${name}`)),
  };
}
