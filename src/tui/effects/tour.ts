/** Marks steps of the tour as done. */
import type { EventNamed } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { topPanelOf } from "../screen/screen.ts";
import { SEARCH } from "../screen/search.ts";
import type { Reads } from "../screen/store.ts";
import { completeTourStep } from "../screen/tour.ts";
import type { TourStep } from "../screen/tour-steps.ts";

type Needs = Pick<Ports, "core" | "store">;

/** Marks steps that show as provider events, until the returned function is called. */
export function listenForTourSteps(ports: Needs): () => void {
  const { core } = ports;
  const doneBy = (user: string | undefined, step: TourStep): void => {
    if (user === core.userId) completeTourStep(ports, step);
  };
  const voted = ({ poll_vote: vote }: EventNamed<"poll.vote_casted" | "poll.vote_changed">): void =>
    doneBy(vote.user_id ?? vote.user?.id, "vote");
  const stops = [
    core.on(
      "message.new",
      ({ message }) => message.parent_id !== undefined && doneBy(message.user.id, "reply"),
    ),
    core.on("reaction.new", ({ user }) => doneBy(user?.id, "react")),
    core.on("poll.vote_casted", voted),
    // In a poll with one vote each, the first vote arrives as this event, too.
    core.on("poll.vote_changed", voted),
    core.on("reminder.created", ({ user_id }) => doneBy(user_id, "save")),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Minimum length of a query that counts as a search. */
const MIN_QUERY_LENGTH = 2;

/** Marks steps that show in the screen state: a typed search, an attached file. */
export function markTourSteps(
  ports: Needs,
  { screen }: Reads<"tour" | "panels" | "search" | "composers">,
): void {
  if (topPanelOf(screen, SEARCH) && screen.search.editor.text.trim().length >= MIN_QUERY_LENGTH)
    completeTourStep(ports, "search");
  if ([...screen.composers.values()].some(({ uploads }) => uploads.length > 0))
    completeTourStep(ports, "attach");
}
