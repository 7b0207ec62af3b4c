/** Features of other chat programs that the screen does not have, with what to do instead. */
import { words } from "../../text/words.ts";

interface MissingFeature {
  readonly title: string;
  /** What to do instead. */
  readonly says: string;
  readonly sought: string;
}

export const MISSING_FEATURES: readonly MissingFeature[] = words.elsewhere;

/** The entry for a word that names no command. */
export const missingFeature = (word: string): MissingFeature | undefined =>
  MISSING_FEATURES.find(({ sought }) => sought.split(" ").includes(word.toLowerCase()));
