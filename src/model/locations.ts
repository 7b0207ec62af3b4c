/** A shared location as client and faces ask about it: where it is, and whether it still moves. */
import type { SharedLocation } from "../wire/entities/location.ts";
import { timeToMs } from "../wire/time.ts";

/** Degrees. */
export type Position = Pick<SharedLocation, "latitude" | "longitude">;

/** Whether it is still moving at `now`, provider time in milliseconds. */
export const isLive = ({ end_at }: SharedLocation, now: number): boolean =>
  typeof end_at === "string" && timeToMs(end_at) > now;
