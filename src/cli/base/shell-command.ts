/** The definition of a command that only a shell has; its code is loaded when it runs. */
import type { ArgRow, Args, ArgValues } from "../../commands/base/define-command.ts";
import type { Raw } from "../../commands/base/args.ts";
import type { ShellDefinition } from "./command-tree.ts";
import type { Shell } from "./shell.ts";

export interface ShellCommand<A extends Args = Args> extends ShellDefinition<A> {
  load(): Promise<{ default: ShellRun<A> }>;
}

/** Runs with the values of its arguments, which are there as they were typed, too; the exit code comes back. */
export type ShellRun<A extends Args> = (shell: Shell, args: ArgValues<A>, typed: Raw) => Promise<number>;

/** As it is written down; without `args` it takes none. */
interface Written<A extends Args> extends Omit<ShellDefinition, "args" | "group"> {
  args?: A;
  load(): Promise<{ default: ShellRun<A> }>;
}

/** A definition as it goes into the table: its own argument types have been checked against its code by then. */
export const shellCommand = <const A extends Args = {}>(
  definition: Written<A> & Pick<ShellDefinition, "group">,
): ShellCommand => ({ args: {}, ...definition }) as unknown as ShellCommand;

/** The same for commands that stand in one group of the help. */
export const commandsOf =
  (group: ShellDefinition["group"]) =>
  <const A extends Args = {}>(definition: Written<A>): ShellCommand =>
    shellCommand<A>({ ...definition, group });

/** A flag that is there or not. */
export const flagRow = <const H extends string>(help: H) =>
  ({ kind: "flag", help }) as const satisfies ArgRow;
