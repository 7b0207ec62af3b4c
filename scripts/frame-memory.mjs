// Lets Ink remember what the frame before was made of: it splits every visible row into cells anew for each frame.

/** Places in Ink's output.js, each once, and what stands there instead. */
const CHANGES = [
  [
    "class OutputCaches {",
    `class OutputCaches {
    lines = new Map();
    before;
    linesOf(text) {
        let found = this.lines.get(text);
        if (found === undefined && (found = this.before?.lines.get(text)) !== undefined) this.lines.set(text, found);
        return found;
    }`,
  ],
  [
    "cached = styledCharsFromTokens(",
    "cached = this.before?.styledChars.get(line) ?? styledCharsFromTokens(",
  ],
  ["cached = stringWidth(text);", "cached = this.before?.widths.get(text) ?? stringWidth(text);"],
  [
    "const characterLines = [[]];",
    `let lines = this.caches.linesOf(text);
        if (lines === undefined) {
        const characterLines = [[]];`,
  ],
  [
    "let lines = characterLines.map(line => styledCharsToString(line));",
    `lines = characterLines.map(line => styledCharsToString(line));
        this.caches.lines.set(text, lines);
        }`,
  ],
  ["caches = new OutputCaches();", "caches = cachesAfterLast();"],
];

/** Two frames are remembered and no more: what has scrolled away is let go. */
const KEEPER = `
let last;
function cachesAfterLast() {
    const caches = new OutputCaches();
    caches.before = last;
    if (last) last.before = undefined;
    last = caches;
    return caches;
}
`;

/** Ink's output.js with a memory of one frame; throws when it is no longer the file these changes are for. */
export function rememberFrames(source) {
  let text = source;
  for (const [from, to] of CHANGES) {
    if (text.split(from).length !== 2) throw new Error(`Ink's output.js has changed: no single "${from}"`);
    text = text.replace(from, () => to);
  }
  return text + KEEPER;
}
