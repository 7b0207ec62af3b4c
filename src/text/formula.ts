/** The quote that keeps a spreadsheet from running a text of our CSV as a formula. */

/** A text that has such a quote, or looks like it: quotes, and the first sign of a formula. */
const QUOTED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text that looks quoted gets one more quote, which whoever reads it takes away. */
export const quoteTwice = (text: string): string => (QUOTED.test(text) ? `'${text}` : text);

/** The text as it was before the CSV was written. */
export const withoutQuote = (text: string): string => (QUOTED.test(text) ? text.slice(1) : text);
