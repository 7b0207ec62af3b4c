/** Offers to undo a pin, reaction or delete for ten seconds. */
import { words } from "../../text/words.ts";
import { showChord } from "../input/chord.ts";
import { chordsFor } from "../keys/lookup.ts";
import type { Ports } from "./ports.ts";
import type { Screen, TakeBack } from "../screen/screen.ts";
import { attempt } from "../screen/notices.ts";

/** Milliseconds. */
export const TAKE_BACK_MS = 10_000;

type Needs = Pick<Ports, "core" | "store" | "clock" | "keys">;

/**
 * Offers an undo by key and notice; `done` as in "pinned", `what` as in "takes back the pin". Does nothing on a read-only
 * screen, where the change is refused anyway. The returned function withdraws the offer, for a change that failed.
 */
export function offerTakeBack(
  ports: Needs,
  { done, what }: { done: string; what: string },
  run: () => void,
  ms = TAKE_BACK_MS,
): () => void {
  const { core, store, clock, keys } = ports;
  if (store.get().look.readOnly) return () => {};
  const until = clock.now() + ms;
  const chord = chordsFor(keys, "takeBack")[0];
  const offer: TakeBack = { what, until, run };
  store.update((s) => ({ ...s, takeBacks: [...s.takeBacks, offer] }));
  const withdraw = (): void => {
    const pending = store.screen.takeBacks.find((offer) => offer.run === run);
    if (pending) removeOffer(ports, pending);
  };
  if (chord === undefined) return withdraw;
  const notice = core.notify({ level: "success", text: words.notices.undo(done, showChord(chord)) });
  const withNotice = (other: TakeBack): TakeBack => (other === offer ? { ...offer, notice } : other);
  // Drawn with the next frame, together with the change itself.
  store.update((s) => ({ ...s, takeBacks: s.takeBacks.map(withNotice) }), false);
  return withdraw;
}

/** Removes the offer, and its notice unless that notice also belongs to another offer. */
function removeOffer({ core, store }: Pick<Ports, "core" | "store">, offer: TakeBack): void {
  store.update((s) => ({ ...s, takeBacks: s.takeBacks.filter((other) => other !== offer) }));
  const { notice } = offer;
  if (notice !== undefined && !store.screen.takeBacks.some((other) => other.notice === notice))
    core.dismiss(notice);
}

/** Waits for the change and then offers to undo it. */
export function runAndOfferTakeBack(
  ports: Needs,
  work: Promise<unknown>,
  labels: { done: string; what: string },
  undo: () => Promise<unknown>,
): void {
  const offer = (): void => void offerTakeBack(ports, labels, () => attempt(ports, undo()));
  attempt(ports, work.then(offer));
}

/** The screen without expired offers; the same object if there are none. */
export const withoutExpiredOffers = (screen: Screen, now: number): Screen =>
  screen.takeBacks.some(({ until }) => until <= now)
    ? { ...screen, takeBacks: screen.takeBacks.filter(({ until }) => until > now) }
    : screen;

/** Runs the newest offer; false if there is none. */
export function takeBack({ core, store, clock }: Pick<Ports, "core" | "store" | "clock">): boolean {
  store.update((s) => withoutExpiredOffers(s, clock.now()));
  const last: TakeBack | undefined = store.screen.takeBacks.at(-1);
  if (!last) return false;
  removeOffer({ core, store }, last);
  last.run();
  return true;
}
