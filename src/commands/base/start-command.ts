/** Runs a command and yields its results with their views, for shell, screen and plain mode. */
import { isObject } from "../../wire/json-object.ts";
import { isPlaceholder } from "../../wire/reading.ts";
import { emptyViewOf } from "./empty-view.ts";
import { asView, OUTPUT_WRITTEN, type Args, type Command, type Call, type View } from "./define-command.ts";

/** One result of a command. */
interface CommandResult {
  value: unknown;
  /** Undefined: only a tick. */
  view: View | undefined;
}

/** `list`: the command returns a list, which may be empty; otherwise a single value. */
export interface StartedCommand {
  list: boolean;
  items: AsyncIterable<CommandResult>;
  /** How an item would be shown; undefined if that cannot be said without one. */
  emptyView(): View | undefined;
}

/** Shown of a change whose answer does not have what was changed. */
const DONE: View = { kind: "line", text: "done; the provider's answer does not say more" };

const lacksEntity = (value: unknown): value is object =>
  isPlaceholder(value) || (isObject(value) && Object.values(value).some(isPlaceholder));

const withoutPlaceholders = (value: object): object =>
  isPlaceholder(value)
    ? {}
    : Object.fromEntries(Object.entries(value).filter(([, one]) => !isPlaceholder(one)));

/** Starts at once; early errors are thrown here or with the first item. */
export function startCommand(command: Command, call: Call<Args>): StartedCommand {
  const result = command.run(call as never);
  const shown = (value: unknown): CommandResult =>
    lacksEntity(value)
      ? { value: withoutPlaceholders(value), view: DONE }
      : { value, view: command.show && asView(command.show(value, call.args as never)) };
  const list = Symbol.asyncIterator in result;
  const emptyView = (): View | undefined => emptyViewOf((item) => shown(item).view);
  return { list, emptyView, items: list ? listItems(result, shown) : singleItem(result, shown, command) };
}

async function* listItems(
  items: AsyncIterable<unknown>,
  shown: (value: unknown) => CommandResult,
): AsyncIterable<CommandResult> {
  for await (const item of items) yield shown(item);
}

async function* singleItem(
  value: Promise<unknown>,
  shown: (value: unknown) => CommandResult,
  { fault }: Command,
): AsyncIterable<CommandResult> {
  const result = await value;
  if (result === OUTPUT_WRITTEN) return;
  yield shown(result);
  const error = fault?.(result);
  if (error) throw error;
}
