/** Quits the program or switches the profile, asking first if messages are unsent or files are being saved. */
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import type { Ports } from "./ports.ts";
import { completeTourStep } from "../screen/tour.ts";
import { askToConfirm, showNotice } from "../screen/notices.ts";

/** A message sent less than this ago will be answered soon and does not count as unsent (ms). */
const ANSWER_GRACE_MS = 3000;

/** Number of messages and changes that did not reach the provider. */
function unsentCount({ core, clock, store }: Ports): number {
  const online = store.state.link.phase === "open";
  const isUnsent = ({ state, busy, created_at }: ReturnType<typeof core.unsent>[number]): boolean => {
    if (busy) return false;
    if (state === "failed" || !online) return true;
    return state !== "parked" && clock.now() - Date.parse(created_at) > ANSWER_GRACE_MS;
  };
  return core.unsent().filter(isUnsent).length;
}

/** Quits the program. */
export const quitProgram = (ports: Ports): void =>
  confirmAndLeave(ports, "quit", () => {
    completeTourStep(ports, "leave");
    ports.terminal.quit();
  });

/** Switches to another profile; unsent messages stay in this profile's outbox. */
export function switchProfile(ports: Ports, name: string): void {
  const { profiles } = ports;
  if (name === profiles.current) return showNotice(ports, words.profiles.here(name));
  if (!profiles.list().some((profile) => profile.name === name))
    return showNotice(
      ports,
      words.profiles.none(
        cleanLine(name),
        profiles.list().map((profile) => profile.name),
      ),
      "warning",
    );
  enterProfile(ports, name);
}

/** Opens a profile. The current one is reopened without a question: its unsent messages are sent then. */
export function enterProfile(ports: Ports, name: string, notice?: string): void {
  const { profiles } = ports;
  if (name === profiles.current) profiles.open(name, notice);
  else confirmAndLeave(ports, "switch", () => profiles.open(name, notice));
}

function confirmAndLeave(ports: Ports, what: "quit" | "switch", proceed: () => void): void {
  const { store } = ports;
  let unsent = 0;
  try {
    unsent = unsentCount(ports);
  } catch {
    // An unreadable disk must not prevent quitting.
  }
  const saves = Object.keys(store.screen.saves).length;
  if (unsent + saves === 0) return proceed();
  askToConfirm(ports, { level: "mild", question: words.notices.leave(unsent, saves, what) }, proceed);
}
