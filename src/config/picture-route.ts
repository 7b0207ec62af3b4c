/** Decides how pictures are drawn in the terminal, and why: by the setting, the terminal's answers and tmux. */
import type { Settings } from "./settings.ts";
import { terminalName } from "./terminal-answers.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface PictureRoute {
  /** How small pictures between the messages are drawn: as cells of text, in every terminal that can show them. */
  stream: "kitty" | "half-blocks" | "off";
  /** How the whole picture in the panel is drawn. */
  panel: "kitty" | "iterm2" | "sixel" | "half-blocks" | "off";
  /** What is drawn goes through tmux to the terminal outside. */
  tmux: boolean;
  says: string;
  todo?: string;
}

/** What a terminal says of itself. */
export interface TerminalAnswers {
  /** Name and version (XTVERSION). */
  version?: string;
  kittyGraphics: boolean;
  sixel: boolean;
}

/** The terminal outside of tmux, and whether tmux lets sequences through to it. */
export interface TmuxAround {
  terminal: string;
  passthrough: boolean;
}

interface Asked {
  setting: Settings["pictures"];
  /** Colours: 0 none, 1 sixteen, 2 two hundred and fifty-six, 3 all. */
  level: 0 | 1 | 2 | 3;
  env: Env;
  answers: TerminalAnswers;
  tmux?: TmuxAround;
}

const OFF = { stream: "off", panel: "off", tmux: false } as const;
const BLOCKS = { stream: "half-blocks", panel: "half-blocks", tmux: false } as const;
const LET_THROUGH = "tmux needs: set -g allow-passthrough on";

/** They draw pictures at cells that say so; others that answer for kitty's graphics lack that. */
const placesCells = (terminal: string): boolean => /^(kitty\b|ghostty\b)/i.test(terminal);

function insideTmux(around: TmuxAround | undefined, forced: boolean): PictureRoute {
  const terminal = around?.terminal || "a terminal without a name";
  if (!forced && !placesCells(terminal)) return { ...BLOCKS, says: `half blocks: tmux in ${terminal}` };
  if (!around?.passthrough)
    return { ...BLOCKS, says: `half blocks: tmux passes nothing on to ${terminal}`, todo: LET_THROUGH };
  return { stream: "kitty", panel: "kitty", tmux: true, says: `kitty graphics through tmux, in ${terminal}` };
}

/** The way that was chosen by hand; in tmux only kitty's gets to the terminal at the right place. */
function chosen({ setting, env, tmux }: Asked): PictureRoute {
  const says = `${setting} by setting`;
  if (setting === "kitty")
    return env.TMUX ? insideTmux(tmux, true) : { stream: "kitty", panel: "kitty", tmux: false, says };
  if (setting === "half-blocks") return { ...BLOCKS, says };
  return { ...BLOCKS, panel: setting as "iterm2" | "sixel", says };
}

function found({ answers, env, tmux }: Asked): PictureRoute {
  if (env.TMUX) return insideTmux(tmux, false);
  if (env.STY) return { ...BLOCKS, says: "half blocks: GNU Screen passes no pictures on" };
  const { version = "", kittyGraphics, sixel } = answers;
  if (kittyGraphics && placesCells(version))
    return { stream: "kitty", panel: "kitty", tmux: false, says: `kitty graphics: ${version} has them` };
  const iterm = /^(iTerm2|WezTerm|mintty)\b/i.test(version) || env.TERM_PROGRAM === "vscode";
  if (iterm)
    return { ...BLOCKS, panel: "iterm2", says: `iTerm2 pictures: ${version || env.TERM_PROGRAM} has them` };
  if (sixel) return { ...BLOCKS, panel: "sixel", says: `sixel: ${version || "the terminal"} has it` };
  return { ...BLOCKS, says: `half blocks: ${version || "the terminal"} names no other way` };
}

export function pictureRoute(asked: Asked): PictureRoute {
  const { setting, level } = asked;
  if (setting === "off") return { ...OFF, says: "off by setting" };
  if (level < 2)
    return { ...OFF, says: `words only: ${level === 0 ? "no colours" : "sixteen colours"} (NO_COLOR, TERM)` };
  return setting === "auto" ? found(asked) : chosen(asked);
}

/** Asks tmux; undefined outside of it, and where it does not answer. */
export async function tmuxAround(env: Env): Promise<TmuxAround | undefined> {
  if (!env.TMUX) return undefined;
  const { execFile } = await import("node:child_process");
  const ask = (...args: string[]): Promise<string> =>
    new Promise((resolve) =>
      execFile("tmux", args, { timeout: 2000, env }, (error, out) => resolve(error ? "" : out.trim())),
    );
  const [terminal, passthrough] = await Promise.all([
    ask("display-message", "-p", "#{client_termtype}"),
    ask("show-options", "-wAv", "allow-passthrough"),
  ]);
  return {
    terminal: terminalName(terminal),
    passthrough: /^(on|all)$/.test(passthrough),
  };
}
