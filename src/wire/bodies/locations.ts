/** Bodies of live locations. */
import { id, need, number, time } from "../entities/fields.ts";
import { acting } from "./frame.ts";

export const locationBodies = {
  updateLiveLocation: {
    ...acting,
    message_id: need(id()),
    latitude: number(-90, 90),
    longitude: number(-180, 180),
    end_at: time(),
    created_by_device_id: id(),
  },
};
