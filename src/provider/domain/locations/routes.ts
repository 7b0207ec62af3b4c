/** The handlers of live locations, each under the name of its endpoint. */
export { getLiveLocations, updateLiveLocation } from "./rules/locations.ts";
