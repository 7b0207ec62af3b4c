/** Remembers positions before jumps to messages, so that the user can go back. */
import { browsePlace, scrollOf, type Screen } from "./screen.ts";
import { placeKey } from "./place-key.ts";

/** Number of positions remembered. */
const MAX_JUMPS = 20;

/** Adds the current position, unless it equals the last one. */
export function withJump(screen: Screen): Screen {
  const { cid, panels, focus, jumps } = screen;
  if (cid === undefined) return screen;
  const place = browsePlace({ ...screen, focus: focus === "panel" ? "panel" : "messages" }) ?? { cid };
  const view = scrollOf(screen, place);
  const last = jumps.at(-1);
  if (last && placeKey(last.place) === placeKey(place) && last.view === view) return screen;
  return { ...screen, jumps: [...jumps, { cid, panels, focus, place, view }].slice(-MAX_JUMPS) };
}
