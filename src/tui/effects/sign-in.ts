/** Opens the sign-in form when the provider refuses the token at the start. */
import { words } from "../../text/words.ts";
import type { Ports } from "../ports/ports.ts";
import type { Reads } from "../screen/store.ts";
import { loginForm } from "../views/forms/open-form.ts";

/** Codes of a refused connection for which another token, user or key helps (specification/errors.md §3). */
const CODES_SIGN_IN_HELPS: ReadonlySet<number | undefined> = new Set([undefined, 2, 5, 40, 43]);

export function signInOffer(ports: Ports): (model: Reads<"link" | "popups">) => void {
  /** Offered once, and never after being online: what the user is typing would go into the form. */
  let settled = false;
  return (model) => {
    const { link } = model;
    if (link.phase === "open") settled = true;
    if (
      settled ||
      link.phase !== "stopped" ||
      link.cause !== "refused" ||
      !CODES_SIGN_IN_HELPS.has(link.code)
    )
      return;
    settled = true;
    if (model.screen.popups.length > 0 || (ports.boxes.place && ports.boxes.at().editor.text !== "")) return;
    if (ports.profiles.signInDefaults(ports.profiles.current) === undefined) return;
    const reason = words.link.refused[link.code ?? 0] ?? words.link.refusedOtherwise;
    // Deferred: this runs inside a store update, and the form updates the store.
    queueMicrotask(() => loginForm(ports, reason));
  };
}
