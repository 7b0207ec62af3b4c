/** Features of other chat programs that the screen does not have, with what to do instead. */
import { words } from "../../text/words.ts";

interface Elsewhere {
  readonly title: string;
  /** What to do instead. */
  readonly says: string;
  readonly sought: string;
}

export const ELSEWHERE: readonly Elsewhere[] = words.elsewhere;

/** The entry for a word that names no command. */
export const elsewhereFor = (word: string): Elsewhere | undefined =>
  ELSEWHERE.find(({ sought }) => sought.split(" ").includes(word.toLowerCase()));
