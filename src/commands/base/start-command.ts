/** Runs a command and gives its results one by one, each with how it is shown, for shell, screen and plain mode. */
import { asView, WRITTEN, type Args, type Command, type CommandCall, type View } from "./define-command.ts";

/** One thing that came of a command. */
interface Shown {
  value: unknown;
  /** None: a quiet tick. */
  view: View | undefined;
}

/** A list may be empty; what is no list is one value. */
export interface Started {
  list: boolean;
  items: AsyncIterable<Shown>;
}

/** Begins at once: what throws before anything came throws here or with the first item. */
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
