/** The key under which the screen stores the state of a channel or thread. */

export { placeKey } from "../../model/select.ts";

/** The key of the composer while no channel is open. */
export const NO_CHANNEL_KEY = "";
