/** Describes the state of the connection, in several lengths. */
import type { Link } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";

interface LinkWords {
  /** The state in words, from the longest to the shortest form. */
  states: readonly [string, ...string[]];
  level: "good" | "warn" | "bad";
  /** If the user has to act: the reason and what to do, from the longest to the shortest form. */
  help?: readonly [string, ...string[]];
}

function secondsLeft(link: Link, now: number): number {
  return link.retryAt === undefined ? 0 : Math.max(0, Math.ceil((link.retryAt - now) / 1000));
}

/** How to sign in again: in the screen, or in the shell for plain mode. */
type SignInBy = "/login" | "parley login";

function stopped(link: Link, by: SignInBy): LinkWords {
  const { signedOut, refused, refusedShort, refusedOtherwise, again } = words.link;
  const signIn = words.link.signIn(by);
  if (link.cause !== "refused") {
    const why = cleanLine(link.reason ?? "");
    return {
      states: [why ? `stopped: ${why}` : "stopped", "stopped"],
      level: "bad",
      help: link.hint
        ? [`${why}: ${link.hint} · ${again}`, `${why} · ${again}`, again]
        : [`${why} · ${again}`, again],
    };
  }
  const why = refused[link.code ?? 0] ?? refusedOtherwise;
  const short = refusedShort[link.code ?? 0] ?? signedOut;
  return {
    states: [`${signedOut}: ${why} · ${signIn}`, `${signedOut}: ${why}`, short, signedOut],
    level: "bad",
    help: [`${why} · ${signIn}`, `${short} · ${signIn}`, `${short}: ${by}`],
  };
}

function ended(link: Link, now: number): LinkWords {
  const { ended: long, endedShort, next, tryNow } = words.link;
  const when = next(secondsLeft(link, now));
  return {
    states: [`${long} · ${when} · ${tryNow}`, `${long} · ${when}`, `${endedShort} · ${when}`, endedShort],
    level: "bad",
    help: [`${cleanLine(link.reason ?? long)} · ${tryNow}`, `${endedShort} · ${tryNow}`, tryNow],
  };
}

export function linkWords(link: Link, now: number, by: SignInBy = "/login"): LinkWords {
  switch (link.phase) {
    case "open": {
      if (link.catchingUp) return { states: [words.link.catchingUp], level: "warn" };
      return link.transport === "longpoll"
        ? { states: ["online · long-poll"], level: "warn" }
        : { states: ["online"], level: "good" };
    }
    case "connecting":
      if (link.cause === "ended") return ended(link, now);
      return { states: [link.failures ? "reconnecting…" : "connecting…"], level: "warn" };
    case "waiting": {
      if (link.cause === "ended") return ended(link, now);
      const left = secondsLeft(link, now);
      return { states: [words.link.retrying(left)], level: "warn" };
    }
    case "offline":
      return { states: ["offline"], level: "bad" };
    case "stopped":
      return stopped(link, by);
    case "idle":
      return { states: [words.link.idle], level: "bad" };
  }
}
