/** Saves the screen as the first frame of the next start, without drafts, popups and notices. */
import { removeFrames, saveFrame, type FrameFile } from "../../config/frames.ts";
import { EMPTY_SEARCH } from "../screen/search.ts";
import type { Screen } from "../screen/screen.ts";
import type { Ports } from "../ports/ports.ts";
import type { TerminalSession } from "../terminal/session.ts";
import type { Env } from "../../config/paths.ts";

/** Matches the escape sequences and controls of a frame; only colours are preserved. */
const SEQUENCE =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;:?<>=]*[A-Za-z]|\x1b[PX^_][^\x1b]*\x1b\\|\x1b.?|[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** The rows of a frame with text and colours only: no links, cursor moves or picture placeholders. */
export const plainRows = (frame: string): string[] =>
  frame
    .replace(SEQUENCE, (sequence) => (/^\x1b\[[\d;:]*m$/.test(sequence) ? sequence : ""))
    .replace(/\u{10EEEE}\p{M}*/gu, " ")
    .split("\n");

/** The screen as it looks at a start: no panels or popups, an empty composer, and marked as loading. */
const toInitialState = (screen: Screen): Screen => ({
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

/** Renders the screen once more without writing to the terminal, and saves the rows. */
function saveFirstFrame({ core, store }: Ports, session: TerminalSession, file: FrameFile): void {
  if (store.screen.cid === undefined) return;
  for (const { id } of store.state.notices) core.dismiss(id);
  store.update(toInitialState);
  const rows = plainRows(session.captureFrame());
  if (rows.length >= session.size.rows) saveFrame(file, rows.slice(0, session.size.rows));
}

/** Tells where the launcher looks for saved frames. */
export interface FrameStore {
  frameFile(columns: number, rows: number): FrameFile | undefined;
}

/** Called when a screen ends: saves the frame if the setting is on, else deletes saved ones. Errors are ignored. */
export function saveOrDeleteFrame(
  ports: Ports,
  session: TerminalSession,
  frames: FrameStore,
  { env, profile, enabled }: { env: Env; profile: string; enabled: boolean },
): void {
  try {
    if (!enabled) return removeFrames(env, profile);
    const file = frames.frameFile(session.size.columns, session.size.rows);
    if (file?.profile === profile) saveFirstFrame(ports, session, file);
  } catch {
    // Without a saved frame the next start shows its first frame a little later.
  }
}
