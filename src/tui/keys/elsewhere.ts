/** What people look for in a chat and Parley does not do in its screen: what to do instead, under the words they type. */
import { words } from "../../text/words.ts";

interface Elsewhere {
  readonly title: string;
  /** What to do instead. */
  readonly says: string;
  readonly sought: string;
}

export const ELSEWHERE: readonly Elsewhere[] = words.elsewhere;

/** What is said of a word that is looked for in vain. */
export const elsewhereFor = (word: string): Elsewhere | undefined =>
  ELSEWHERE.find(({ sought }) => sought.split(" ").includes(word.toLowerCase()));
