/** Helpers to define a command that only the shell has; its code is loaded when it runs. */
import type { ArgRow, Args, ArgValues } from "../../commands/base/define-command.ts";
import type { RawArgs } from "../../commands/base/args.ts";
import type { ShellDefinition } from "./command-tree.ts";
import type { Shell } from "./shell.ts";

export interface ShellCommand<A extends Args = Args> extends ShellDefinition<A> {
  load(): Promise<{ default: ShellRun<A> }>;
}

/** Runs with the parsed arguments and with the raw ones as typed; returns the exit code. */
export type ShellRun<A extends Args> = (shell: Shell, args: ArgValues<A>, typed: RawArgs) => Promise<number>;

/** The definition as a command file writes it; without `args` the command takes none. */
interface ShellCommandInput<A extends Args> extends Omit<ShellDefinition, "args" | "group"> {
  args?: A;
  load(): Promise<{ default: ShellRun<A> }>;
}

/** Checks the argument types of a definition against its code, then erases them for the table of commands. */
export const shellCommand = <const A extends Args = {}>(
  definition: ShellCommandInput<A> & Pick<ShellDefinition, "group">,
): ShellCommand => ({ args: {}, ...definition }) as unknown as ShellCommand;

/** `shellCommand` for one group of the help. */
export const commandInGroup =
  (group: ShellDefinition["group"]) =>
  <const A extends Args = {}>(definition: ShellCommandInput<A>): ShellCommand =>
    shellCommand<A>({ ...definition, group });

export const flagRow = <const H extends string>(help: H) =>
  ({ kind: "flag", help }) as const satisfies ArgRow;
