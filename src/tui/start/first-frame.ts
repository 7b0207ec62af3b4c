/** Saves the screen for the next start's first frame, without drafts, questions and notices. */
import { removeFrames, saveFrame, type FrameFile } from "../../config/frames.ts";
import type { Env } from "../../config/load.ts";
import { EMPTY_SEARCH } from "../screen/search.ts";
import type { Screen } from "../screen/screen.ts";
import type { Ports } from "../ports/ports.ts";
import type { TerminalSession } from "../terminal/session.ts";

/** Sequences and controls of a frame; of these only colours are kept. */
const SEQUENCE =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;:?<>=]*[A-Za-z]|\x1b[PX^_][^\x1b]*\x1b\\|\x1b.?|[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** Rows of text and colours alone: no links, no moves, no cells of a picture that nobody has sent yet. */
export const plainRows = (frame: string): string[] =>
  frame
    .replace(SEQUENCE, (found) => (/^\x1b\[[\d;:]*m$/.test(found) ? found : ""))
    .replace(/\u{10EEEE}\p{M}*/gu, " ")
    .split("\n");

/** As the next start begins: nothing over the messages, nothing in the box, and marked as not yet loaded. */
const asStarted = (screen: Screen): Screen => ({
  ...screen,
  focus: "composer",
  panels: [],
  popups: [],
  views: new Map(),
  composers: new Map(),
  takeBacks: [],
  search: EMPTY_SEARCH,
  saves: {},
  quitArmed: false,
  loading: true,
  completion: undefined,
  pendingKey: undefined,
  hints: undefined,
  range: undefined,
  drag: undefined,
  movingBorder: undefined,
  sidebar: { ...screen.sidebar, over: false, filter: undefined },
  queuedInput: undefined,
});

/** Draws it once more, aside, and keeps it. */
function keepFirstFrame({ core, store }: Ports, session: TerminalSession, place: FrameFile): void {
  if (store.screen.cid === undefined) return;
  for (const { id } of store.state.notices) core.dismiss(id);
  store.update(asStarted);
  const rows = plainRows(session.captured());
  if (rows.length >= session.size.rows) saveFrame(place, rows.slice(0, session.size.rows));
}

/** What the launcher says of the place of such pictures. */
export interface Frames {
  frameFile(columns: number, rows: number): FrameFile | undefined;
}

/** At the end of a screen: keeps its picture where the setting wants it, else forgets them. A fault costs only the picture. */
export function endFrame(
  ports: Ports,
  session: TerminalSession,
  frames: Frames,
  { env, profile, wanted }: { env: Env; profile: string; wanted: boolean },
): void {
  try {
    if (!wanted) return removeFrames(env, profile);
    const place = frames.frameFile(session.size.columns, session.size.rows);
    if (place?.profile === profile) keepFirstFrame(ports, session, place);
  } catch {
    // The next start shows its first picture a little later.
  }
}
