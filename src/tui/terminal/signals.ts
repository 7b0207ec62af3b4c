/** Handles signals and crashes: each restores the terminal first and sets the exit code. */

/** The part of `process` that is listened to. */
type SignalSource = Pick<NodeJS.Process, "on" | "off">;

interface SignalHandlers {
  /** SIGINT, SIGTERM, SIGHUP: `code` is 128 + the number of the signal. */
  end(code: number): void;
  /** An uncaught exception or an unhandled rejection. */
  crash(error: Error): void;
  /** SIGCONT: after our own suspend and after a stop by somebody else. */
  continued(): void;
  /** The process ends without having asked us. */
  exit(): void;
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** An error out of whatever was thrown. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`Something that is no error was thrown: ${String(thrown)}`);

/** Listens until the returned function is called. */
export function watchSignals(source: SignalSource, handlers: SignalHandlers): () => void {
  const listeners: [string, (value: unknown) => void][] = [
    ...Object.entries(NUMBERS).map(([name, n]): [string, () => void] => [name, () => handlers.end(128 + n)]),
    ["SIGCONT", () => handlers.continued()],
    ["uncaughtException", (error: unknown) => handlers.crash(asError(error))],
    ["unhandledRejection", (reason: unknown) => handlers.crash(asError(reason))],
    ["exit", () => handlers.exit()],
  ];
  for (const [event, listener] of listeners) source.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) source.off(event, listener);
  };
}
