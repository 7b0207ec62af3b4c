/** Asks the terminal, as the screen does, how notifications and pictures can be shown in it, and explains why. */
import {
  pictureRoute,
  tmuxAround,
  type TerminalAnswers,
  type TmuxAround,
} from "../../../config/picture-route.ts";
import { noticeRoute } from "../../../config/notice-route.ts";
import { colorLevel } from "../../../text/color.ts";
import type { Shell } from "../../base/shell.ts";
import { printsQueries, terminalName } from "../../../config/terminal-replies.ts";

/** How long the answers are awaited, milliseconds. */
const PATIENCE = 300;

/** Name and version, kitty's graphics, and last the device attributes: behind them nothing comes. */
const QUESTIONS = "\x1b[>0q\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
const LAST = /\x1b\[\?([\d;]*)c/;

/** What stands in the answers; all of them untrusted. */
export function readAnswers(said: string): TerminalAnswers {
  const version = /\x1bP>\|([^\x1b]{0,80})/.exec(said)?.[1];
  return {
    ...(version && { version: terminalName(version) }),
    kittyGraphics: said.includes("\x1b_Gi=31;OK\x1b\\"),
    sixel: (LAST.exec(said)?.[1] ?? "").split(";").slice(1).includes("4"),
  };
}

/** Nothing where there is no terminal on both sides, or one that prints questions it does not know. */
async function ask({ stdin, stdout, env }: NodeJS.Process): Promise<string> {
  const mute = printsQueries(env) || env.TERM_PROGRAM === "Apple_Terminal";
  if (!stdin.isTTY || !stdout.isTTY || mute) return "";
  let said = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (bytes: Buffer): void => {
    said += bytes.toString("latin1");
    if (LAST.test(said)) resolve();
  };
  const timer = setTimeout(resolve, PATIENCE);
  stdin.setRawMode(true);
  stdin.on("data", hear);
  stdout.write(QUESTIONS);
  await promise;
  clearTimeout(timer);
  stdin.off("data", hear);
  stdin.pause();
  stdin.setRawMode(false);
  return said;
}

type Needs = Pick<Shell, "env" | "settings" | "tty">;

function notices({ settings, env }: Needs, version: string | undefined, tmux: TmuxAround | undefined) {
  const { notifications, "notifications.route": setting } = settings;
  if (notifications === "off" || setting === "off")
    return { check: "notices", state: "ok", says: "off by setting" } as const;
  return finding("notices", noticeRoute({ setting, env, version, tmux }));
}

const finding = (check: string, { says, todo }: { says: string; todo?: string }) =>
  ({
    check,
    state: todo === undefined ? "ok" : "warning",
    says,
    ...(todo !== undefined && { todo }),
  }) as const;

export async function terminalFindings(shell: Needs) {
  const { env, settings, tty } = shell;
  const answers = readAnswers(tty.out ? await ask(process) : "");
  const tmux = await tmuxAround(env);
  const told = notices(shell, answers.version, tmux);
  if (!tty.out) return [told];
  const level = colorLevel(process.stdout, settings.color, env);
  const route = { setting: settings.pictures, level, env, answers, ...(tmux && { tmux }) };
  return [told, finding("pictures", pictureRoute(route))];
}
