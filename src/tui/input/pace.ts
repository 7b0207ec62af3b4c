/** How fast letters follow each other, which tells keys from a text (specification/screen.md §4.2). */

/** Letters that follow each other faster than this are a text, ms: 30 words a minute. */
export const TYPING_PAUSE_MS = 400;
/** How long a letter waits for its second press or Enter, ms. */
export const CONFIRM_MS = 2000;
