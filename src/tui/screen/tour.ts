/** Which steps of the tour are done, saved for the next start. */
import { words } from "../../text/words.ts";
import type { Core } from "../../core/core.ts";
import type { ScreenStore } from "./store.ts";
import { tell } from "./telling.ts";
import { STEPS, type TourStep, type Tour } from "./tour-steps.ts";

interface Needs {
  core: Core;
  store: ScreenStore;
}

export const tourBefore = (core: Pick<Core, "remember">): Tour | undefined => core.remember<Tour>("tour");

export const nextStep = ({ tour }: { tour?: Tour }): TourStep | undefined =>
  tour?.on ? STEPS.find((step) => !tour.done.includes(step)) : undefined;

export function putTour({ core, store }: Needs, tour: Tour): void {
  core.keep("tour", tour);
  store.now((s) => ({ ...s, tour }));
}

/** A step was done: it is ticked and said, once. */
export function did(ports: Needs, step: TourStep): void {
  const { tour } = ports.store.screen;
  if (!tour?.on || tour.done.includes(step)) return;
  const done = [...tour.done, step];
  putTour(ports, { done, on: done.length < STEPS.length });
  tell(ports, words.tour.did(words.tour.steps[step], done.length, STEPS.length), "success");
}
