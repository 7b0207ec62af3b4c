/** Endpoints of live locations. */
import type { SharedLocation } from "../location.ts";
import { row } from "./row.ts";
import type { ActAs } from "./row.ts";

export const locationsEndpoints = {
  getLiveLocations: row<object, ActAs, undefined, { active_live_locations: SharedLocation[] }>(
    "GetLiveLocations",
    "GET",
    "/users/live_locations",
  ),
  updateLiveLocation: row<
    object,
    ActAs,
    {
      message_id: string;
      latitude?: number;
      longitude?: number;
      end_at?: string;
      created_by_device_id?: string;
    },
    SharedLocation
  >("UpdateLiveLocation", "PUT", "/users/live_locations"),
} as const;
