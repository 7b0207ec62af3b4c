/** Quits the program, asking first if something unsent would wait or be lost. */
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import type { Ports } from "./ports.ts";
import { completeTourStep } from "../screen/tour.ts";
import { askToConfirm, showNotice } from "../screen/notices.ts";

/** What was sent a moment ago is about to be answered, milliseconds. */
const MOMENT = 3000;

/** Messages and changes of this program that did not reach the provider. */
function waiting({ core, clock, store }: Ports): number {
  const online = store.state.link.phase === "open";
  const isOver = ({ state, busy, created_at }: ReturnType<typeof core.unsent>[number]): boolean => {
    if (busy) return false;
    if (state === "failed" || !online) return true;
    return state !== "parked" && clock.now() - Date.parse(created_at) > MOMENT;
  };
  return core.unsent().filter(isOver).length;
}

/** Leaves, after a question where messages wait or files are being saved. */
export const leave = (ports: Ports): void =>
  leaveFor(ports, "quit", () => {
    completeTourStep(ports, "leave");
    ports.terminal.quit();
  });

/** Another profile, one at a time: what waits here stays here. */
export function switchProfile(ports: Ports, name: string): void {
  const { profiles } = ports;
  if (name === profiles.current) return showNotice(ports, words.profiles.here(name));
  if (!profiles.list().some((each) => each.name === name))
    return showNotice(
      ports,
      words.profiles.none(
        cleanLine(name),
        profiles.list().map((each) => each.name),
      ),
      "warning",
    );
  goToProfile(ports, name);
}

/** Also the one that is open, with what has changed of it: what waits there goes out then. */
export function goToProfile(ports: Ports, name: string, said?: string): void {
  const { profiles } = ports;
  if (name === profiles.current) profiles.open(name, said);
  else leaveFor(ports, "switch", () => profiles.open(name, said));
}

function leaveFor(ports: Ports, what: "quit" | "switch", go: () => void): void {
  const { store } = ports;
  let unsent = 0;
  try {
    unsent = waiting(ports);
  } catch {
    // A disk that cannot be read must keep nobody here.
  }
  const saves = Object.keys(store.screen.saves).length;
  if (unsent + saves === 0) return go();
  askToConfirm(ports, { level: "mild", question: words.notices.leave(unsent, saves, what) }, go);
}
