/** Runs the hooks of a program before each change, after each call and with each send. */
import type { CallDefaults, Sent, Steps, WriteStep } from "../base/api-types.ts";
import type { Clock } from "../base/ports.ts";
import type { ApiCaller } from "../http/caller.ts";

export interface StepRunner {
  use(steps: Steps): void;
  /** Undefined without a hook: then nothing has to wait. */
  beforeWrite: WriteStep;
  /** The same calls with the defaults, reported to `called` when they end. */
  around(caller: Pick<ApiCaller, "call" | "upload">): Pick<ApiCaller, "call" | "upload">;
  settled(sent: Sent): Sent;
}

export function createSteps(clock: Clock, defaults: CallDefaults = {}): StepRunner {
  let steps: Steps = {};

  /** Runs a call and reports it to `called`, if there is such a hook. */
  function reported<R>(
    report: Parameters<NonNullable<Steps["called"]>>[0],
    run: () => Promise<R>,
  ): Promise<R> {
    const { called } = steps;
    if (!called) return run();
    const began = clock.monotonic();
    const end = (result: { reply: R } | { error: unknown }): void =>
      called({ ...report, ...result, ms: clock.monotonic() - began });
    return run().then(
      (reply) => {
        end({ reply });
        return reply;
      },
      (error: unknown) => {
        end({ error });
        throw error;
      },
    );
  }

  return {
    use(next) {
      steps = next;
    },
    beforeWrite: (name, args) => steps.beforeWrite?.(name, args),
    around: (caller) => ({
      call: (name, args = {}) =>
        reported({ name, args, ms: 0 }, () => caller.call(name, { ...defaults, ...args })),
      upload: (name, args, body) => reported({ name, args, ms: 0 }, () => caller.upload(name, args, body)),
    }),
    settled(sent) {
      const outcome = steps.settle?.(sent.id, sent.outcome);
      return outcome === undefined ? sent : { id: sent.id, outcome };
    },
  };
}
