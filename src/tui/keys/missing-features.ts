/** Features of other chat programs that the screen does not have, with what to do instead. */
import { words } from "../../text/words.ts";

interface MissingFeature {
  readonly title: string;
  /** What to do instead. */
  readonly advice: string;
  readonly keywords: string;
}

export const MISSING_FEATURES: readonly MissingFeature[] = words.missingFeatures;

/** The entry for a word that names no command. */
export const missingFeature = (word: string): MissingFeature | undefined =>
  MISSING_FEATURES.find(({ keywords }) => keywords.split(" ").includes(word.toLowerCase()));
