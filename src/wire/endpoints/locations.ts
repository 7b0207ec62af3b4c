/** Endpoints of live locations. */
import type { SharedLocation } from "../entities/location.ts";
import type { locationBodies } from "../bodies/locations.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs } from "./row.ts";

type Body<K extends keyof typeof locationBodies> = Infer<(typeof locationBodies)[K]>;

export const locationsEndpoints = withOperations({
  getLiveLocations: row<{ active_live_locations: SharedLocation[] }, undefined, object, ActAs>(
    "GET /users/live_locations",
  ),
  updateLiveLocation: row<SharedLocation, Body<"updateLiveLocation">, object, ActAs>(
    "PUT /users/live_locations",
  ),
});
