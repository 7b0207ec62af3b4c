/** Hint letters over messages, links and buttons; typing the letters presses them. */
import type { ThreadRef } from "../../model/state.ts";
import type { Spot } from "../render/spots.ts";
import { placeKey } from "./place-key.ts";

/** A message or clickable spot with its letters. */
export interface Hint {
  label: string;
  place: ThreadRef;
  /** The id of the message or gap. */
  id: string;
  /** Row within the block, and the column of the letters. */
  row: number;
  x: number;
  /** Absent = the message itself. */
  spot?: Pick<Spot, "name" | "value">;
}

export interface Hints {
  typed: string;
  all: readonly Hint[];
}

/** Home-row letters first. */
const LETTERS = "asdfjklghqwertyuiopzxcvbnm";

/** `n` labels, all of one letter or all of two, so that none is a prefix of another. */
export function labelsFor(count: number): string[] {
  const letters = [...LETTERS];
  const labels = count <= letters.length ? letters : letters.flatMap((a) => letters.map((b) => a + b));
  return labels.slice(0, count);
}

/** The hints that match the letters typed so far. */
export const matchingHints = ({ typed, all }: Hints): readonly Hint[] =>
  all.filter(({ label }) => label.startsWith(typed));

/** The matching hints of one message list. */
export function hintsIn(hints: Hints | undefined, place: ThreadRef): readonly Hint[] {
  if (!hints) return NONE;
  const key = placeKey(place);
  return matchingHints(hints).filter((hint) => placeKey(hint.place) === key);
}

const NONE: readonly Hint[] = [];
