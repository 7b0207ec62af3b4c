/** Decides whether to use colour, and how many colours (specification/command-line.md §6). */

type ColorFlag = "auto" | "always" | "never";
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a stream gets colour. Checked in this order: the flag, then NO_COLOR (when not empty), FORCE_COLOR, CLICOLOR_FORCE, a dumb terminal
 * or CLICOLOR=0, and last whether the stream is a terminal.
 */
export function useColor(stream: { isTTY?: boolean }, flag: ColorFlag, env: Environment): boolean {
  if (flag === "always") return true;
  if (flag === "never") return false;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "")
    return !["0", "false"].includes(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== "0") return true;
  if (env.TERM === "dumb" || env.CLICOLOR === "0") return false;
  return stream.isTTY === true;
}

/** The colour level in chalk's numbers: 0 none, 1 sixteen colours, 2 two hundred and fifty-six, 3 true colour. */
export function colorLevel(stream: { isTTY?: boolean }, flag: ColorFlag, env: Environment): 0 | 1 | 2 | 3 {
  if (!useColor(stream, flag, env)) return 0;
  if (env.FORCE_COLOR === "1" || env.FORCE_COLOR === "2" || env.FORCE_COLOR === "3")
    return Number(env.FORCE_COLOR) as 1 | 2 | 3;
  if (env.COLORTERM === "truecolor" || env.COLORTERM === "24bit" || env.WT_SESSION) return 3;
  const term = env.TERM ?? "";
  if (/^(xterm-kitty|xterm-ghostty|wezterm|alacritty|foot)|-direct$/.test(term)) return 3;
  return /-256(color)?$/.test(term) || /^(iTerm\.app|Apple_Terminal)$/.test(env.TERM_PROGRAM ?? "") ? 2 : 1;
}
