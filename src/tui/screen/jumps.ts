/** The positions before jumps to messages, to go back to: channel, panels, focus and scroll. */
import { browsePlace, scrollOf, type Screen } from "./screen.ts";
import { placeKey } from "./place-key.ts";

/** Places that are kept. */
const MOST = 20;

/** Before a jump; where one is twice in the same place nothing is added. */
export function withJump(screen: Screen): Screen {
  const { cid, panels, focus, jumps } = screen;
  if (cid === undefined) return screen;
  const place = browsePlace({ ...screen, focus: focus === "panel" ? "panel" : "messages" }) ?? { cid };
  const view = scrollOf(screen, place);
  const last = jumps.at(-1);
  if (last && placeKey(last.place) === placeKey(place) && last.view === view) return screen;
  return { ...screen, jumps: [...jumps, { cid, panels, focus, place, view }].slice(-MOST) };
}
