/** The optional fields of the connection handshake, and the body of POST /sync, which requests missed events. */
import { SYNC_CHANNELS } from "../constants.ts";
import { flag, id, list, need, object, text, time } from "../entities/fields.ts";
import { acting } from "./frame.ts";
import { profile } from "./users.ts";

/** The optional fields of the connection handshake. */
export const handshake = {
  user_id: id(),
  user_details: object({ ...profile, id: id() }),
  device: object({ id: id(), push_provider: id(), push_provider_name: id(), hardware_id: id() }),
};

export const connectBodies = {
  sync: {
    ...acting,
    channel_cids: need(list(text(), SYNC_CHANNELS)),
    last_sync_at: need(time()),
    with_inaccessible_cids: flag(),
    watch: flag(),
  },
};
