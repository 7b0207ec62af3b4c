/** Makes the key under which the screen keeps things of a channel or thread. */

export { placeKey } from "../../model/select.ts";

/** The key of the box before any channel is open. */
export const NO_CHANNEL_KEY = "";
