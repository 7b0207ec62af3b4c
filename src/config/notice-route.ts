/** Decides how desktop notifications are sent, and why: by the setting, the terminal's name, tmux and the environment. */
import type { TmuxAround } from "./picture-route.ts";
import type { Settings } from "./settings.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type NoticeRoute = Exclude<Settings["notifications.route"], "auto">;

interface NoticeWay {
  route: NoticeRoute;
  /** It goes through tmux to the terminal outside. */
  tmux: boolean;
  says: string;
  todo?: string;
}

interface Asked {
  setting: Settings["notifications.route"];
  env: Env;
  /** Name and version as the terminal answered them (XTVERSION): true over SSH, too. */
  version?: string | undefined;
  tmux?: TmuxAround | undefined;
}

/** By the answered name; first match wins. */
const NAMED: readonly [RegExp, NoticeRoute][] = [
  [/^kitty\b/i, "osc99"],
  [/^(ghostty|wezterm|foot|vte|rxvt-unicode)\b/i, "osc777"],
  [/^(iterm2|warp)/i, "osc9"],
];

/** By what the environment says, of terminals that answer nothing. */
const BY_ENV: readonly [NoticeRoute, string, (env: Env) => boolean][] = [
  ["osc99", "kitty", (env) => Boolean(env.KITTY_WINDOW_ID) || env.TERM === "xterm-kitty"],
  ["osc777", "Ghostty", (env) => env.TERM_PROGRAM === "ghostty" || env.TERM === "xterm-ghostty"],
  ["osc777", "WezTerm", (env) => env.TERM_PROGRAM === "WezTerm"],
  ["osc9", "iTerm2", (env) => env.TERM_PROGRAM === "iTerm.app" || env.LC_TERMINAL === "iTerm2"],
  ["osc9", "Warp", (env) => env.TERM_PROGRAM === "WarpTerminal"],
  ["osc777", "foot", (env) => /^foot(-|$)/.test(env.TERM ?? "")],
  ["osc777", "rxvt-unicode", (env) => (env.TERM ?? "").startsWith("rxvt-unicode")],
  ["osc777", "VTE", (env) => Number(env.VTE_VERSION) >= 5000],
];

const named = (name: string | undefined): NoticeRoute | undefined =>
  NAMED.find(([is]) => is.test(name ?? ""))?.[1];

const bell = (why: string, todo: string): NoticeWay => ({
  route: "bell",
  tmux: false,
  says: `the bell: ${why}`,
  todo,
});
const SET = "parley config set notifications.route osc9 (or osc777, osc99) if yours does";

function insideTmux({ terminal, passthrough }: TmuxAround): NoticeWay {
  const route = named(terminal);
  const name = terminal || "a terminal without a name";
  if (route === undefined) return bell(`tmux in ${name}, which is not known to show notices`, SET);
  if (!passthrough)
    return bell(`tmux passes nothing on to ${name}`, "tmux needs: set -g allow-passthrough on");
  return { route, tmux: true, says: `${route} through tmux, in ${name}` };
}

export function noticeRoute({ setting, env, version, tmux }: Asked): NoticeWay {
  if (setting !== "auto")
    return {
      route: setting,
      tmux: Boolean(env.TMUX) && setting.startsWith("osc"),
      says: `${setting} by setting`,
    };
  if (env.TMUX) return insideTmux(tmux ?? { terminal: "", passthrough: false });
  if (env.STY) return bell("GNU Screen passes no notices on", SET);
  const route = named(version);
  if (route) return { route, tmux: false, says: `${route}: ${version} shows notices` };
  const [found, name] = BY_ENV.find(([, , is]) => is(env)) ?? [];
  if (found) return { route: found, tmux: false, says: `${found}: ${name} by its environment` };
  return bell(`${version || "this terminal"} is not known to show notices`, SET);
}
