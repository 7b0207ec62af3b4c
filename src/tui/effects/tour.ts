/** Checks off steps of the tour when the newcomer has done them. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { topPanel } from "../screen/screen.ts";
import type { Model } from "../screen/store.ts";
import { did } from "../screen/tour.ts";
import type { TourStep } from "../screen/tour-steps.ts";

type Needs = Pick<Ports, "core" | "store">;

interface Heard {
  step: TourStep;
  by: (event: never) => string | undefined;
}

const vote: Heard = {
  step: "vote",
  by: ({ poll_vote: cast }: { poll_vote: { user_id?: string; user?: { id: string } } }) =>
    cast.user_id ?? cast.user?.id,
};

/** What happened at the provider, and who did it. */
const EVENTS: Readonly<Record<string, Heard>> = {
  "message.new": {
    step: "reply",
    by: ({ message }: { message: { parent_id?: string; user?: { id: string } } }) =>
      message.parent_id === undefined ? undefined : message.user?.id,
  },
  "reaction.new": { step: "react", by: ({ user }: { user?: { id: string } }) => user?.id },
  "poll.vote_casted": vote,
  // Where a poll takes one vote each, the first one comes so, too.
  "poll.vote_changed": vote,
  "reminder.created": { step: "save", by: ({ user_id }: { user_id: string }) => user_id },
};

/** Listens until the function it gives back is called. */
export function tourHears(ports: Needs): () => void {
  const stops = Object.entries(EVENTS).map(([type, { step, by }]) =>
    ports.core.on(type, (event: AnyEvent) => {
      if (by(event as never) === ports.core.userId) did(ports, step);
    }),
  );
  return () => stops.forEach((stop) => stop());
}

/** Letters that make a search. */
const SEARCHED = 2;

/** What shows on the screen itself: words in the search, a file in a box. */
export function tourLooks(ports: Needs, { screen }: Pick<Model, "screen">): void {
  if (!screen.tour?.on) return;
  if (topPanel(screen)?.kind === "search" && screen.search.editor.text.trim().length >= SEARCHED)
    did(ports, "search");
  if ([...screen.composers.values()].some(({ uploads }) => uploads.length > 0)) did(ports, "attach");
}
