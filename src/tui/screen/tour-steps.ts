/** The steps of the tour, and how far one is. */

/** In the order in which they are shown. */
export const STEPS = ["reply", "react", "vote", "search", "attach", "save", "theme", "leave"] as const;

export type TourStep = (typeof STEPS)[number];

export interface Tour {
  done: readonly TourStep[];
  /** It is shown. */
  on: boolean;
}
