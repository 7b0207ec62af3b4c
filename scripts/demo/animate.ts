/** Draws a recording of a terminal as one SVG that plays by itself: each row is drawn once for each look that it has. */
import { createRequire } from "node:module";
import type { Terminal as HeadlessTerminal } from "@xterm/headless";
import {
  cursorShape,
  gridOf,
  pictureFrame,
  RowPainter,
  type PictureOptions,
} from "../../tests/support/screen-picture.ts";
import type { Cast } from "./cast.ts";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
const { UnicodeGraphemesAddon } =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");

const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/** Looks that follow within so many seconds are one. */
const FRAME = 0.1;
/** Seconds that the last look stays before the recording begins again. */
const END = 3;

/** A part of the picture from a time on: a row, the cursor, the caption. */
interface Look {
  readonly from: number;
  readonly markup: string;
}

/** The terminal after each part of a recording that is seen by itself. */
export async function* framesOf(
  cast: Cast,
): AsyncGenerator<{ at: number; caption: string; term: HeadlessTerminal }> {
  const term = new Terminal({ cols: cast.cols, rows: cast.rows, allowProposedApi: true });
  term.loadAddon(new UnicodeGraphemesAddon());
  let caption = "";
  for (const [i, [at, kind, text]] of cast.events.entries()) {
    if (kind === "m") caption = text;
    else await new Promise<void>((done) => term.write(text, done));
    const next = cast.events[i + 1]?.[0] ?? Infinity;
    if (Math.floor(next / FRAME) > Math.floor(at / FRAME) && !term.modes.synchronizedOutputMode)
      yield { at, caption, term };
  }
  term.dispose();
}

/** The emulator has no public property for this. */
const isCursorHidden = (term: HeadlessTerminal): boolean =>
  (term as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core.coreService
    .isCursorHidden;

/** Adds a look to those of its place if it differs from the last one. */
function addLook(looks: Map<string, Look[]>, place: string, look: Look): void {
  const before = looks.get(place) ?? [];
  if (before.at(-1)?.markup === look.markup) return;
  looks.set(place, [...before, look]);
}

/** Shows a markup from one time to another, of `whole` seconds that are repeated. */
function shown({ from, markup }: Look, until: number, whole: number): string {
  if (markup === "") return "";
  const [a, b] = [from, until].map((at) => Number(Math.min(1, at / whole).toFixed(4)));
  const times = a === 0 ? `0;${b}` : `0;${a};${b}`;
  const values = a === 0 ? "inline;none" : "none;inline;none";
  return `<g display="none"><animate attributeName="display" values="${values}" keyTimes="${times}" dur="${whole}s" calcMode="discrete" repeatCount="indefinite"/>${markup}</g>`;
}

/** A standalone SVG document, which plays where it is shown and begins again. */
export async function animatedPicture(cast: Cast): Promise<string> {
  const options: PictureOptions = { fontFamily: FONT, title: cast.title };
  const painter = new RowPainter(cast, options);
  const { width } = gridOf(cast, options);
  const looks = new Map<string, Look[]>();
  let last = 0;
  for await (const { at, caption, term } of framesOf(cast)) {
    last = at;
    for (let y = 0; y < cast.rows; y++) {
      const { shapes, texts } = painter.row(term, y);
      addLook(looks, `row ${y}`, { from: at, markup: shapes + texts });
    }
    const cursor = isCursorHidden(term) ? "" : cursorShape(term, options);
    addLook(looks, "cursor", { from: at, markup: cursor });
    const words = `<text x="${width - 16}" y="22" text-anchor="end" fill="#5ccfc0" font-size="14">${caption}</text>`;
    addLook(looks, "caption", { from: at, markup: caption === "" ? "" : words });
  }
  const whole = Math.ceil(last + END);
  const parts = [...looks.values()].flatMap((each) =>
    each.map((look, i) => shown(look, each[i + 1]?.from ?? whole, whole)),
  );
  return pictureFrame(cast, options, [painter.definitions, ...parts].join(""));
}
