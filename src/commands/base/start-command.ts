/** Runs a command and yields its results with their views, for shell, screen and plain mode. */
import { asView, WRITTEN, type Args, type Command, type CommandCall, type View } from "./define-command.ts";

/** One result of a command. */
interface Shown {
  value: unknown;
  /** Undefined: only a tick. */
  view: View | undefined;
}

/** `list`: the command returns a list, which may be empty; otherwise a single value. */
export interface Started {
  list: boolean;
  items: AsyncIterable<Shown>;
}

/** Starts at once; early errors are thrown here or with the first item. */
export function startCommand(command: Command, call: CommandCall<Args>): Started {
  const result = command.run(call as never);
  const shown = (value: unknown): Shown => ({
    value,
    view: command.show && asView(command.show(value, call.args as never)),
  });
  const list = Symbol.asyncIterator in result;
  return { list, items: list ? each(result, shown) : one(result, shown, command) };
}

async function* each(items: AsyncIterable<unknown>, shown: (value: unknown) => Shown): AsyncIterable<Shown> {
  for await (const item of items) yield shown(item);
}

async function* one(
  value: Promise<unknown>,
  shown: (value: unknown) => Shown,
  { fault }: Command,
): AsyncIterable<Shown> {
  const result = await value;
  if (result === WRITTEN) return;
  yield shown(result);
  const wrong = fault?.(result);
  if (wrong) throw wrong;
}
