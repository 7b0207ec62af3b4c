/** A core for one run of a shell: a send is settled before the run ends, and standard input can be uploaded (decisions 17). */
import type { Core } from "../../core/core.ts";
import type { Opened } from "../../open.ts";
import type { Message } from "../../wire/message.ts";
import { ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";

export interface RunOptions {
  /** Stays in the outbox and counts as done when it cannot be sent now. */
  queue?: boolean;
}

const neverSent = (): ExitError =>
  new ExitError(
    10,
    "the message was not sent: the provider cannot be reached",
    "run the same command again, or add --queue",
  );

/** Never sent → taken back, 10. Sent without an answer → looked up by its id; not there → 11 with the way to look. */
export function oneShot(shell: Shell, core: Core, opened: Opened, options: RunOptions): Core {
  const send = (...given: Parameters<Core["send"]>): ReturnType<Core["send"]> => {
    const sent = core.send(...given);
    const outcome = Promise.race([sent.outcome, aborted(shell.signal)]).then(async (end) => {
      if (end === "aborted") {
        // A send that was called off is not sent later by somebody else's run.
        opened.core.drop(sent.id);
        throw new ExitError(130, "Cancelled.");
      }
      // Checks of our own throw before the outbox holds a row: this one was taken back because nothing could be sent.
      if (end.state === "failed" && end.error.name === "LocalError") throw neverSent();
      if (end.state !== "waiting" || options.queue) return end;
      const { id } = end.message;
      const found = opened.maybeSent() ? await lookFor(opened, id, shell.signal) : undefined;
      if (found) return { state: "received" as const, message: found };
      // Nothing is sent behind the user's back after this run.
      opened.core.drop(id);
      if (!opened.maybeSent()) throw neverSent();
      throw new ExitError(11, "no answer came: the message may have been sent", `parley message get ${id}`);
    });
    return {
      get id() {
        return sent.id;
      },
      outcome,
    };
  };
  const upload: Core["upload"] = async (cid, file, how) => {
    if (file !== "-") return core.upload(cid, file, how);
    const { spoolInput } = await import("../base/spool.ts");
    const spool = await spoolInput(shell.in);
    try {
      return await core.upload(cid, spool.file, how);
    } finally {
      spool.remove();
    }
  };
  return new Proxy(core, {
    get(target, key) {
      if (key === "send") return send;
      if (key === "upload") return upload;
      return Reflect.get(target, key);
    },
  });
}

function aborted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}

/** At least this long is looked for what may have arrived, also when the time of the run is over; milliseconds. */
const LAST_LOOK = 500;

async function lookFor(opened: Opened, id: string, signal: AbortSignal): Promise<Message | undefined> {
  const time = AbortSignal.timeout(Math.max(LAST_LOOK, Math.min(opened.left(), 60_000)));
  const how = { path: { id }, signal: AbortSignal.any([signal, time]), retries: 2 };
  try {
    return (await opened.core.call("getMessage", how)).message;
  } catch {
    return undefined;
  }
}
