/** Hint letters over everything that can be pressed; typing them presses it. */
import type { ThreadRef } from "../../model/state.ts";
import type { Spot } from "../render/spots.ts";
import { placeKey } from "./place-key.ts";

/** A place that has letters: a message, or a spot of it. */
export interface Hint {
  label: string;
  place: ThreadRef;
  /** The message, or the gap. */
  id: string;
  /** Row of its block, and the cell of the row where the letters stand. */
  row: number;
  x: number;
  /** Absent: the message itself. */
  spot?: Pick<Spot, "name" | "value">;
}

export interface Hints {
  typed: string;
  all: readonly Hint[];
}

/** The letters under the fingers first. */
const LETTERS = "asdfjklghqwertyuiopzxcvbnm";

/** `n` labels of which none begins another: a letter each, else two. */
export function labelsFor(n: number): string[] {
  const letters = [...LETTERS];
  const labels = n <= letters.length ? letters : letters.flatMap((a) => letters.map((b) => a + b));
  return labels.slice(0, n);
}

/** Those that what was typed may still mean. */
export const possible = ({ typed, all }: Hints): readonly Hint[] =>
  all.filter(({ label }) => label.startsWith(typed));

/** The letters of one list, as plain values for its rows: `id row x rest-of-label` each. */
export function hintsIn(hints: Hints | undefined, place: ThreadRef): readonly Hint[] {
  if (!hints) return NONE;
  const key = placeKey(place);
  return possible(hints).filter((hint) => placeKey(hint.place) === key);
}

const NONE: readonly Hint[] = [];
