/** Routes of live locations by the name of their endpoint row. */
import { getLiveLocations, updateLiveLocation } from "./rules/locations.ts";

export const locationRoutes = { getLiveLocations, updateLiveLocation };
