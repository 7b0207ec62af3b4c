/** The steps of the tour and its progress. */

/** In display order. */
export const STEPS = ["reply", "react", "vote", "search", "attach", "save", "theme", "leave"] as const;

export type TourStep = (typeof STEPS)[number];

export interface Tour {
  done: readonly TourStep[];
  /** The tour is shown. */
  on: boolean;
}
