/** Shared locations: their position, and whether they are live. */
import type { SharedLocation } from "../wire/entities/location.ts";
import { timeToMs } from "../wire/time.ts";

/** Degrees. */
export type Position = Pick<SharedLocation, "latitude" | "longitude">;

/** Whether the location is still live at `now`, provider time in milliseconds. */
export const isLive = ({ end_at }: SharedLocation, now: number): boolean =>
  typeof end_at === "string" && timeToMs(end_at) > now;
