/** Names places in maps of the screen. */

export { placeKey } from "../../model/select.ts";

/** The key of the box before any channel is open. */
export const NOWHERE = "";
