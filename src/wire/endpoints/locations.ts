/** Endpoints of live locations. */
import { SharedLocation } from "../entities/location.ts";
import { entity, list, need } from "../entities/fields.ts";
import { actAs, row, withOperations } from "./row.ts";

export const locationsEndpoints = withOperations({
  getLiveLocations: row("GET /users/live_locations", {
    query: actAs,
    answer: () => ({ active_live_locations: need(list(entity("SharedLocation"))) }),
  }),
  updateLiveLocation: row("PUT /users/live_locations", { query: actAs, answer: SharedLocation }),
});
