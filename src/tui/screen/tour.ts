/** Which steps of the tour are done, saved for the next start. */
import { words } from "../../text/words.ts";
import type { Ports } from "./ports.ts";
import { tell } from "./telling.ts";

/** In the order in which they are shown. */
export const STEPS = ["reply", "react", "vote", "search", "attach", "save", "theme", "leave"] as const;
export type Step = (typeof STEPS)[number];

export interface Tour {
  done: readonly Step[];
  /** It is shown. */
  on: boolean;
}

type Needs = Pick<Ports, "core" | "store">;

export const tourBefore = (core: Pick<Ports["core"], "remember">): Tour | undefined =>
  core.remember<Tour>("tour");

export const nextStep = ({ tour }: { tour?: Tour }): Step | undefined =>
  tour?.on ? STEPS.find((step) => !tour.done.includes(step)) : undefined;

export function putTour({ core, store }: Needs, tour: Tour): void {
  core.keep("tour", tour);
  store.now((s) => ({ ...s, tour }));
}

/** A step was done: it is ticked and said, once. */
export function did(ports: Needs, step: Step): void {
  const { tour } = ports.store.screen;
  if (!tour?.on || tour.done.includes(step)) return;
  const done = [...tour.done, step];
  putTour(ports, { done, on: done.length < STEPS.length });
  tell(ports, words.tour.did(words.tour.steps[step], done.length, STEPS.length), "success");
}
