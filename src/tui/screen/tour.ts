/** Saves the progress of the tour. */
import { words } from "../../text/words.ts";
import type { Core } from "../../core/core.ts";
import type { Screen } from "./screen.ts";
import type { ScreenStore } from "./store.ts";
import { showNotice } from "./notices.ts";
import { STEPS, type TourStep, type Tour } from "./tour-steps.ts";

interface Needs {
  core: Core;
  store: ScreenStore;
}

export const savedTour = (core: Pick<Core, "remember">): Tour | undefined => core.remember<Tour>("tour");

export const nextStep = ({ tour }: Pick<Screen, "tour">): TourStep | undefined =>
  tour?.on ? STEPS.find((step) => !tour.done.includes(step)) : undefined;

export function saveTour({ core, store }: Needs, tour: Tour): void {
  core.keep("tour", tour);
  store.update((s) => ({ ...s, tour }));
}

/** Marks a step as done and shows a notice, once. */
export function completeTourStep(ports: Needs, step: TourStep): void {
  const { tour } = ports.store.screen;
  if (!tour?.on || tour.done.includes(step)) return;
  const done = [...tour.done, step];
  saveTour(ports, { done, on: done.length < STEPS.length });
  showNotice(ports, words.tour.did(words.tour.steps[step], done.length, STEPS.length), "success");
}
