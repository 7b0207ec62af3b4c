/** How a terminal is asked to show a notification: a table of terminals (specification/screen.md §7) and the bytes of each route. */
import { cleanForTerminal } from "./osc.ts";

export type NotificationRoute = "bell" | "osc9" | "osc777" | "osc99" | "off";

type Environment = Record<string, string | undefined>;

interface Terminal {
  name: string;
  route: NotificationRoute;
  is(env: Environment): boolean;
}

/** First match wins. A multiplexer hides the terminal behind it and passes only the bell on without set-up. */
const TERMINALS: readonly Terminal[] = [
  { name: "tmux", route: "bell", is: (env) => Boolean(env["TMUX"]) },
  { name: "GNU Screen", route: "bell", is: (env) => Boolean(env["STY"]) },
  {
    name: "kitty",
    route: "osc99",
    is: (env) => Boolean(env["KITTY_WINDOW_ID"]) || env["TERM"] === "xterm-kitty",
  },
  {
    name: "Ghostty",
    route: "osc777",
    is: (env) => env["TERM_PROGRAM"] === "ghostty" || env["TERM"] === "xterm-ghostty",
  },
  { name: "WezTerm", route: "osc777", is: (env) => env["TERM_PROGRAM"] === "WezTerm" },
  {
    name: "iTerm2",
    route: "osc9",
    is: (env) => env["TERM_PROGRAM"] === "iTerm.app" || env["LC_TERMINAL"] === "iTerm2",
  },
  { name: "foot", route: "osc777", is: (env) => /^foot(-|$)/.test(env["TERM"] ?? "") },
  { name: "rxvt-unicode", route: "osc777", is: (env) => (env["TERM"] ?? "").startsWith("rxvt-unicode") },
  { name: "VTE", route: "osc777", is: (env) => Number(env["VTE_VERSION"]) >= 5000 },
];

/** The route that fits the terminal the environment describes; the bell when it is unknown. */
export const routeFor = (env: Environment): NotificationRoute =>
  TERMINALS.find((terminal) => terminal.is(env))?.route ?? "bell";

/** The bytes of one notification; title at most 80 and body at most 240 UTF-16 units, both cleaned. */
export function notificationBytes(route: NotificationRoute, title: string, body: string): string {
  const head = cleanForTerminal(title, 80);
  const text = cleanForTerminal(body, 240);
  if (route === "off") return "";
  if (route === "bell") return "\x07";
  // A message of iTerm2 that begins with a number and `;` is a command to ConEmu and its kin.
  if (route === "osc9") return `\x1b]9;${`${head}: ${text}`.replace(/^(\d+);/, "$1,")}\x07`;
  if (route === "osc777") return `\x1b]777;notify;${head.replaceAll(";", ",")};${text}\x07`;
  const id = "i=parley";
  return `\x1b]99;${id}:d=0;${head}\x1b\\\x1b]99;${id}:d=1:p=body;${text}\x1b\\`;
}
