/** Routes of live locations by the name of their endpoint row. */
export { getLiveLocations, updateLiveLocation } from "./rules/locations.ts";
