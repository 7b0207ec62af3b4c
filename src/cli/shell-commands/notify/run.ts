/** `parley notify`: shows notifications with the desktop's program, or as a bell and a line if there is none. */
import { isDirect } from "../../../model/channels.ts";
import { isChannelMuted } from "../../../model/mutes.ts";
import { isNotifiable, quietEnd } from "../../../model/notifiable.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readChannel } from "../../../commands/base/args.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { withoutSecrets } from "../../base/child-env.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { write } from "../../base/stdio.ts";
import { followEvents, fromNow } from "../tail/follow.ts";
import type { HandleEvent } from "../tail/follower.ts";
import type { NOTIFY_ARGS } from "./args.ts";

/** How many characters of a message a notification shows. */
const MAX_CHARACTERS = 200;

/** The command that shows a notification; the texts are passed as arguments, without a shell. */
function notificationCommand(title: string, text: string): [command: string, args: string[]] {
  if (process.platform !== "darwin") return ["notify-send", ["-a", "Parley", "--", title, text]];
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
  return ["osascript", ["-e", script, title, text]];
}

/** Returns false if the system has no such program. */
async function showNotification(shell: Shell, title: string, text: string): Promise<boolean> {
  const [command, args] = notificationCommand(title, text);
  const child = spawn(command, args, { stdio: "ignore", env: withoutSecrets(shell.env) });
  const failed = once(child, "error").then(() => false);
  const ended = once(child, "exit").then(([code]) => code === 0);
  return Promise.race([failed, ended]);
}

interface NotifyOptions {
  mentions: boolean;
  /** Channels named on the command line notify even if they are muted. */
  areNamed: boolean;
}

function mayNotify(message: Message, { me, channels }: State, options: NotifyOptions): boolean {
  const now = Date.now();
  if (quietEnd(me) > now || !isNotifiable(message, me, now)) return false;
  if (!options.areNamed && isChannelMuted(me, message.cid, now)) return false;
  return (
    !options.mentions ||
    isDirectChannel(channels.get(message.cid)) ||
    message.mentioned_users?.some(({ id }) => id === me?.id) === true
  );
}

const isDirectChannel = (entry: ChannelEntry | undefined): boolean => entry !== undefined && isDirect(entry);

const eventOutput =
  (shell: Shell, options: NotifyOptions): HandleEvent =>
  async (event, { name }, state) => {
    const message = event.message as Message;
    if (!mayNotify(message, state, options)) return;
    shell.counts.items++;
    const by = message.user.name ?? message.user.id;
    const title = cleanLine(isDirectChannel(state.channels.get(message.cid)) ? by : `${by} in ${name}`);
    const text = cleanLine((message.text || "sent a file").replaceAll("\n", " ")).slice(0, MAX_CHARACTERS);
    if (await showNotification(shell, title, text)) return;
    await write(shell.out, `${shell.tty.out ? "\u0007" : ""}${title}: ${text}\n`);
  };

const notify: ShellRun<typeof NOTIFY_ARGS> = async (shell, { channels, mentions, exitAfter }) => {
  const cids = channels.map((text) => readChannel(text, shell.settings.channelType));
  const options = {
    ...fromNow(cids, exitAfter),
    shows: ({ type }: { type: string }) => type === "message.new",
  };
  const handle = eventOutput(shell, { mentions: mentions === true, areNamed: cids.length > 0 });
  return followEvents(shell, "notify", options, { handle, done: new Promise(() => {}) });
};
export default notify;
