/** sixel: declares the variable of its picture library. */
// Why: upng.js assigns to an undeclared variable, which is an error in the strict modules of the bundle: no sixel picture was drawn.
// Gains: sixel pictures.
// Upstream: `const UPNG = {}; module.exports = UPNG;`.
import { editing, replaceOnce } from "./patch.ts";

export const sixelStrict = editing(
  "sixel: strict",
  /[\\/]node_modules[\\/]sixel[\\/]upng\.js$/,
  (text, file) =>
    replaceOnce(text, [["module.exports = UPNG = {};", "var UPNG = {}; module.exports = UPNG;"]], file),
);
