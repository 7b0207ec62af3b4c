/** Names places in maps of the screen. */
import type { ThreadRef } from "../../model/state.ts";

/** The key of the box before any channel is open. */
export const NOWHERE = "";

export function placeKey(place: ThreadRef): string {
  return place.parentId === undefined ? place.cid : `${place.cid} ${place.parentId}`;
}
