/** Queries the terminal, as the screen does, to explain how it can show notifications and pictures. */
import {
  pictureRoute,
  tmuxAround,
  type TerminalAnswers,
  type OuterTerminal,
} from "../../../config/picture-route.ts";
import { noticeRoute } from "../../../config/notice-route.ts";
import { colorLevel } from "../../../text/color.ts";
import type { Shell } from "../../base/shell.ts";
import { printsQueries, terminalName } from "../../../config/terminal-replies.ts";

const ANSWER_MS = 300;

/** Queries for name and version, kitty graphics, and finally the device attributes, whose answer comes last. */
const QUERIES = "\x1b[>0q\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
const DEVICE_ATTRIBUTES = /\x1b\[\?([\d;]*)c/;

/** Parses the answers, which are untrusted. */
export function readAnswers(answers: string): TerminalAnswers {
  const version = /\x1bP>\|([^\x1b]{0,80})/.exec(answers)?.[1];
  return {
    ...(version && { version: terminalName(version) }),
    kittyGraphics: answers.includes("\x1b_Gi=31;OK\x1b\\"),
    sixel: (DEVICE_ATTRIBUTES.exec(answers)?.[1] ?? "").split(";").slice(1).includes("4"),
  };
}

/** Sends the queries; returns "" without a terminal, or for one that would print queries it does not know. */
async function queryTerminal({ stdin, stdout, env }: NodeJS.Process): Promise<string> {
  const isUnsafe = printsQueries(env) || env.TERM_PROGRAM === "Apple_Terminal";
  if (!stdin.isTTY || !stdout.isTTY || isUnsafe) return "";
  let answers = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  const onData = (bytes: Buffer): void => {
    answers += bytes.toString("latin1");
    if (DEVICE_ATTRIBUTES.test(answers)) resolve();
  };
  const timer = setTimeout(resolve, ANSWER_MS);
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdout.write(QUERIES);
  await promise;
  clearTimeout(timer);
  stdin.off("data", onData);
  stdin.pause();
  stdin.setRawMode(false);
  return answers;
}

type TerminalContext = Pick<Shell, "env" | "settings" | "tty">;

function notices(
  { settings, env }: TerminalContext,
  version: string | undefined,
  tmux: OuterTerminal | undefined,
) {
  const { notifications, "notifications.route": setting } = settings;
  if (notifications === "off" || setting === "off")
    return { check: "notices", state: "ok", message: "turned off in the settings" } as const;
  return finding("notices", noticeRoute({ setting, env, version, tmux }));
}

const finding = (check: string, { reason, hint }: { reason: string; hint?: string }) =>
  ({
    check,
    state: hint === undefined ? "ok" : "warning",
    message: reason,
    ...(hint !== undefined && { hint }),
  }) as const;

export async function terminalFindings(shell: TerminalContext) {
  const { env, settings, tty } = shell;
  const answers = readAnswers(tty.out ? await queryTerminal(process) : "");
  const tmux = await tmuxAround(env);
  const noticeFinding = notices(shell, answers.version, tmux);
  if (!tty.out) return [noticeFinding];
  const level = colorLevel(process.stdout, settings.color, env);
  const route = { setting: settings.pictures, level, env, answers, ...(tmux && { tmux }) };
  return [noticeFinding, finding("pictures", pictureRoute(route))];
}
