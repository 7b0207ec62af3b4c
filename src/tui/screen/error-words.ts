/** An error in a sentence for whoever is at the screen. */
import { REPLACED, isReplaced } from "../../model/obstacles.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { reasonOf } from "../../wire/errors.ts";

/** What could not be loaded because the program was updated is no file that anybody knows. */
export const errorWords = (error: unknown): string =>
  isReplaced(error)
    ? `${REPLACED.says}. ${REPLACED.todo}`
    : cleanLine(reasonOf(error instanceof Error ? error.message : String(error)));
