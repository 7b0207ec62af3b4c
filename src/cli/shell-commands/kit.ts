/** What a verb is that only a shell can do: its words and arguments at once, its code when it runs. */
import type { Args } from "../../commands/base/define-command.ts";
import type { Shell } from "../base/shell.ts";

export interface ShellCommand {
  summary: string;
  group: "Daily" | "Setup" | "Local" | "Scripts";
  examples?: readonly string[];
  args: Args;
  aliases?: readonly string[];
  hidden?: boolean;
  /** `--dry-run` may stand beside it: it shows what it would send, or it changes nothing anyhow. The others refuse it. */
  dry?: true;
  /** Needs no settings and no profile; it runs even where the config file is damaged. */
  bare?: boolean;
  load(): Promise<{ default: OwnRun }>;
}

/** Values as `fillArgs` gives them; the exit code comes back. */
export type OwnRun = (shell: Shell, values: Record<string, unknown>, path: string) => Promise<number>;
