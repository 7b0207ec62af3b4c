/** Decides how desktop notifications are sent, and why: by the setting, the terminal's name, tmux and the environment. */
import type { OuterTerminal } from "./picture-route.ts";
import type { Settings } from "./settings.ts";
import type { Env } from "./paths.ts";

export type NoticeRoute = Exclude<Settings["notifications.route"], "auto">;

interface NoticeDecision {
  route: NoticeRoute;
  /** Sent through tmux to the outer terminal. */
  tmux: boolean;
  reason: string;
  hint?: string;
}

interface NoticeInputs {
  setting: Settings["notifications.route"];
  env: Env;
  /** Name and version reported by the terminal (XTVERSION); works over SSH, too. */
  version?: string | undefined;
  tmux?: OuterTerminal | undefined;
}

/** Routes by the reported name; first match wins. */
const BY_NAME: readonly [RegExp, NoticeRoute][] = [
  [/^kitty\b/i, "osc99"],
  [/^(ghostty|wezterm|foot|vte|rxvt-unicode)\b/i, "osc777"],
  [/^(iterm2|warp)/i, "osc9"],
];

/** Routes by the environment, for terminals that do not report a name. */
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

const routeByName = (name: string | undefined): NoticeRoute | undefined =>
  BY_NAME.find(([is]) => is.test(name ?? ""))?.[1];

const bell = (cause: string, hint: string): NoticeDecision => ({
  route: "bell",
  tmux: false,
  reason: `the bell: ${cause}`,
  hint,
});
const SET_ROUTE = "parley config set notifications.route osc9 (or osc777, osc99) if yours does";

function insideTmux({ terminal, passthrough }: OuterTerminal): NoticeDecision {
  const route = routeByName(terminal);
  const name = terminal || "a terminal without a name";
  if (route === undefined) return bell(`tmux in ${name}, which is not known to show notices`, SET_ROUTE);
  if (!passthrough)
    return bell(`tmux passes nothing on to ${name}`, "tmux needs: set -g allow-passthrough on");
  return { route, tmux: true, reason: `${route} through tmux, in ${name}` };
}

export function noticeRoute({ setting, env, version, tmux }: NoticeInputs): NoticeDecision {
  if (setting !== "auto")
    return {
      route: setting,
      tmux: Boolean(env.TMUX) && setting.startsWith("osc"),
      reason: `${setting} by setting`,
    };
  if (env.TMUX) return insideTmux(tmux ?? { terminal: "", passthrough: false });
  if (env.STY) return bell("GNU Screen passes no notices on", SET_ROUTE);
  const route = routeByName(version);
  if (route) return { route, tmux: false, reason: `${route}: ${version} shows notices` };
  const [found, name] = BY_ENV.find(([, , is]) => is(env)) ?? [];
  if (found) return { route: found, tmux: false, reason: `${found}: ${name} by its environment` };
  return bell(`${version || "this terminal"} is not known to show notices`, SET_ROUTE);
}
