/** Endpoints of live locations. */
import type { SharedLocation } from "../location.ts";
import type { locationBodies } from "../bodies/locations.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs } from "./row.ts";

type Body<K extends keyof typeof locationBodies> = Infer<(typeof locationBodies)[K]>;

export const locationsEndpoints = {
  getLiveLocations: row<object, ActAs, undefined, { active_live_locations: SharedLocation[] }>(
    "GetLiveLocations",
    "GET",
    "/users/live_locations",
  ),
  updateLiveLocation: row<object, ActAs, Body<"updateLiveLocation">, SharedLocation>(
    "UpdateLiveLocation",
    "PUT",
    "/users/live_locations",
  ),
} as const;
