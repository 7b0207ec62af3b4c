/** @sindresorhus/is: its two lists of words are made by the message that shows them, not with the module. */
// Why: got asks it about every option, and the first formatter of a process loads the rules of languages.
// Gains: 5 to 7 % of the CPU of one `parley send`, whose only use of those rules it was.
// Upstream: formatters that are made at the first use.
import { editing, replaceOnce } from "./patch.ts";

const made = (type: string): string => `new Intl.ListFormat('en', { style: 'long', type: '${type}' })`;
const whenUsed = (type: string): [string, string] => [
  made(type),
  `{ format: (words) => ${made(type)}.format(words) }`,
];

export const isFormats = editing(
  "@sindresorhus/is: formats",
  /[\\/]node_modules[\\/]@sindresorhus[\\/]is[\\/]distribution[\\/]index\.js$/,
  (text, file) => replaceOnce(text, [whenUsed("conjunction"), whenUsed("disjunction")], file),
);
