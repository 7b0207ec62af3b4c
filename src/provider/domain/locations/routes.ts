/** Routes of live locations by the name of their endpoint row. */
import type { Handlers } from "../../base/handler.ts";
import { getLiveLocations, updateLiveLocation } from "./locations.ts";

export const locationRoutes: Handlers = { getLiveLocations, updateLiveLocation };
