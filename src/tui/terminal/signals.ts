/** Listens for signals and crashes. */

type SignalSource = Pick<NodeJS.Process, "on" | "off">;

interface SignalHandlers {
  /** SIGINT, SIGTERM, SIGHUP: `code` is 128 + the number of the signal. */
  end(code: number): void;
  /** An uncaught exception or an unhandled rejection. */
  crash(error: Error): void;
  /** SIGCONT, after the program's own suspend or a stop from outside. */
  continued(): void;
  /** The process exits without `end` having been called. */
  exit(): void;
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export const asError = (value: unknown): Error =>
  value instanceof Error ? value : new Error(`Something that is no error was thrown: ${String(value)}`);

/** Returns a function that removes the listeners. */
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
