/** Routes of live locations by the name of their endpoint row. */
import { getLiveLocations, updateLiveLocation } from "./locations.ts";

export const locationRoutes = { getLiveLocations, updateLiveLocation };
