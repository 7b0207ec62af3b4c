/** Decides how pictures are drawn in the terminal, and why: by the setting, the terminal's replies and tmux. */
import type { Settings } from "./settings.ts";
import { terminalName } from "./terminal-replies.ts";
import type { Env } from "./paths.ts";

export interface PictureRoute {
  /** How small pictures between the messages are drawn; they scroll with the text, so only routes that draw in cells work. */
  stream: "kitty" | "half-blocks" | "off";
  /** How the full picture in the panel is drawn. */
  panel: "kitty" | "iterm2" | "sixel" | "half-blocks" | "off";
  /** Sent through tmux to the outer terminal. */
  tmux: boolean;
  reason: string;
  hint?: string;
}

/** What a terminal reports about itself. */
export interface TerminalAnswers {
  /** Name and version (XTVERSION). */
  version?: string;
  kittyGraphics: boolean;
  sixel: boolean;
}

/** The terminal around tmux, and whether tmux passes escape sequences on to it. */
export interface OuterTerminal {
  terminal: string;
  passthrough: boolean;
}

interface PictureInputs {
  setting: Settings["pictures"];
  /** Colours: 0 = none, 1 = 16, 2 = 256, 3 = true colour. */
  level: 0 | 1 | 2 | 3;
  env: Env;
  answers: TerminalAnswers;
  tmux?: OuterTerminal;
}

const OFF = { stream: "off", panel: "off", tmux: false } as const;
const BLOCKS = { stream: "half-blocks", panel: "half-blocks", tmux: false } as const;
const ALLOW_PASSTHROUGH = "tmux needs: set -g allow-passthrough on";

/** Terminals with kitty's placeholder cells; others that report kitty graphics lack those. */
const hasPlaceholders = (terminal: string): boolean => /^(kitty\b|ghostty\b)/i.test(terminal);

function insideTmux(outer: OuterTerminal | undefined, forced: boolean): PictureRoute {
  const terminal = outer?.terminal || "a terminal without a name";
  if (!forced && !hasPlaceholders(terminal)) return { ...BLOCKS, reason: `half blocks: tmux in ${terminal}` };
  if (!outer?.passthrough)
    return {
      ...BLOCKS,
      reason: `half blocks: tmux passes nothing on to ${terminal}`,
      hint: ALLOW_PASSTHROUGH,
    };
  return {
    stream: "kitty",
    panel: "kitty",
    tmux: true,
    reason: `kitty graphics through tmux, in ${terminal}`,
  };
}

/** The route set by the user; inside tmux only kitty graphics end up at the right position. */
function routeBySetting({ setting, env, tmux }: PictureInputs): PictureRoute {
  const reason = `${setting} by setting`;
  if (setting === "kitty")
    return env.TMUX ? insideTmux(tmux, true) : { stream: "kitty", panel: "kitty", tmux: false, reason };
  if (setting === "half-blocks") return { ...BLOCKS, reason };
  return { ...BLOCKS, panel: setting as "iterm2" | "sixel", reason };
}

function routeByTerminal({ answers, env, tmux }: PictureInputs): PictureRoute {
  if (env.TMUX) return insideTmux(tmux, false);
  if (env.STY) return { ...BLOCKS, reason: "half blocks: GNU Screen passes no pictures on" };
  const { version = "", kittyGraphics, sixel } = answers;
  if (kittyGraphics && hasPlaceholders(version))
    return { stream: "kitty", panel: "kitty", tmux: false, reason: `kitty graphics: ${version} has them` };
  const iterm = /^(iTerm2|WezTerm|mintty)\b/i.test(version) || env.TERM_PROGRAM === "vscode";
  if (iterm)
    return { ...BLOCKS, panel: "iterm2", reason: `iTerm2 pictures: ${version || env.TERM_PROGRAM} has them` };
  if (sixel) return { ...BLOCKS, panel: "sixel", reason: `sixel: ${version || "the terminal"} has it` };
  return { ...BLOCKS, reason: `half blocks: ${version || "the terminal"} names no other way` };
}

export function pictureRoute(inputs: PictureInputs): PictureRoute {
  const { setting, level } = inputs;
  if (setting === "off") return { ...OFF, reason: "off by setting" };
  if (level < 2)
    return {
      ...OFF,
      reason: `words only: ${level === 0 ? "no colours" : "sixteen colours"} (NO_COLOR, TERM)`,
    };
  return setting === "auto" ? routeByTerminal(inputs) : routeBySetting(inputs);
}

/** Asks tmux about its outer terminal; undefined outside tmux. */
export async function tmuxAround(env: Env): Promise<OuterTerminal | undefined> {
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
