/** sixel: the name of its picture library is declared. */
// Why: upng.js gives a value to a name that it never declares. A module of the bundle is strict, where that is an error: no sixel picture was drawn.
// Gains: sixel pictures.
// Upstream: `const UPNG = {}; module.exports = UPNG;`.
import { editing, replaceOnce } from "./patch.ts";

export const sixelStrict = editing(
  "sixel: strict",
  /[\\/]node_modules[\\/]sixel[\\/]upng\.js$/,
  (text, file) =>
    replaceOnce(text, [["module.exports = UPNG = {};", "var UPNG = {}; module.exports = UPNG;"]], file),
);
