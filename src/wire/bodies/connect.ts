/** The body of asking for what was missed. */
import { SYNC_CHANNELS } from "../constants.ts";
import { flag, list, need, text, time } from "../fields.ts";
import { acting } from "./frame.ts";

export const connectBodies = {
  sync: {
    ...acting,
    channel_cids: need(list(text(), SYNC_CHANNELS)),
    last_sync_at: need(time()),
    with_inaccessible_cids: flag(),
    watch: flag(),
  },
};
