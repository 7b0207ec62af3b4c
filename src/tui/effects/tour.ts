/** Checks off steps of the tour when the newcomer has done them. */
import type { EventNamed } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { topPanel } from "../screen/screen.ts";
import type { Model } from "../screen/store.ts";
import { completeTourStep } from "../screen/tour.ts";
import type { TourStep } from "../screen/tour-steps.ts";

type Needs = Pick<Ports, "core" | "store">;

/** Listens to what happened at the provider, until the function it gives back is called. */
export function tourHears(ports: Needs): () => void {
  const { core } = ports;
  const doneBy = (user: string | undefined, step: TourStep): void => {
    if (user === core.userId) completeTourStep(ports, step);
  };
  const voted = ({ poll_vote: cast }: EventNamed<"poll.vote_casted" | "poll.vote_changed">): void =>
    doneBy(cast.user_id ?? cast.user?.id, "vote");
  const stops = [
    core.on(
      "message.new",
      ({ message }) => message.parent_id !== undefined && doneBy(message.user.id, "reply"),
    ),
    core.on("reaction.new", ({ user }) => doneBy(user?.id, "react")),
    core.on("poll.vote_casted", voted),
    // Where a poll takes one vote each, the first one comes so, too.
    core.on("poll.vote_changed", voted),
    core.on("reminder.created", ({ user_id }) => doneBy(user_id, "save")),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Letters that make a search. */
const SEARCHED = 2;

/** What shows on the screen itself: words in the search, a file in a box. */
export function tourLooks(ports: Needs, { screen }: Pick<Model, "screen">): void {
  if (!screen.tour?.on) return;
  if (topPanel(screen)?.kind === "search" && screen.search.editor.text.trim().length >= SEARCHED)
    completeTourStep(ports, "search");
  if ([...screen.composers.values()].some(({ uploads }) => uploads.length > 0))
    completeTourStep(ports, "attach");
}
