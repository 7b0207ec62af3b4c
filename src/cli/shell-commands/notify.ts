/** `parley notify`: announces new messages on the desktop, or as the settings of notifications say. */
import { command } from "../../commands/base/define-command.ts";
import { notificationBytes } from "../../config/notice-bytes.ts";
import { pipeToProgram, type NoticeFacts } from "../../config/notice-program.ts";
import { noticeRoute } from "../../config/notice-route.ts";
import { isDirect } from "../../model/channels.ts";
import { isChannelMuted } from "../../model/mutes.ts";
import { answersMe, hasKeyword, isNotifiable, quietEnd } from "../../model/notifiable.ts";
import { parentOf } from "../../model/select.ts";
import type { ChannelEntry, State } from "../../model/state.ts";
import { readChannel } from "../../commands/base/args.ts";
import { plainTextOf } from "../../model/message-words.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import { wrapForTmux } from "../../text/sequence-text.ts";
import { words } from "../../text/words.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Shell } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import { followEvents, fromNow } from "./tail/follow.ts";
import type { HandleEvent } from "./tail/follower.ts";
import { showOnDesktop } from "./notify/desktop.ts";

/** The most of a message that a notification shows, cells. */
const TEXT_CELLS = 200;

/** Announces a message as `notifications.command`, `.route` and `.text` say; without a desktop, as a line and what the terminal can show. */
async function deliver(shell: Shell, facts: NoticeFacts): Promise<void> {
  const { settings, env, tty } = shell;
  const body = settings["notifications.text"] ? facts.body : words.quiet.hidden.message;
  const command = settings["notifications.command"];
  if (command !== "") return pipeToProgram(command, { ...facts, body });
  const setting = settings["notifications.route"];
  if (setting === "auto" && (await showOnDesktop(env, facts.title, body))) return;
  const { route, tmux } = noticeRoute({ setting, env });
  const bytes = tty.out ? wrapForTmux(notificationBytes(route, facts.title, body), tmux) : "";
  await write(shell.out, `${bytes}${facts.title}: ${body}\n`);
}

interface NotifyOptions {
  mentions: boolean;
  /** Words that count as a mention, separated by commas. */
  keywords: string;
  /** Channels named on the command line notify even if they are muted. */
  areNamed: boolean;
}

function mayNotify(message: Message, state: State, options: NotifyOptions): boolean {
  const { me, channels } = state;
  const now = Date.now();
  if (quietEnd(me) > now || !isNotifiable(message, me, now)) return false;
  if (!options.areNamed && isChannelMuted(me, message.cid, now)) return false;
  return (
    !options.mentions ||
    isDirectChannel(channels.get(message.cid)) ||
    message.mentioned_users?.some(({ id }) => id === me?.id) === true ||
    answersMe(
      message,
      me?.id,
      message.parent_id ? parentOf(state, message.cid, message.parent_id) : undefined,
    ) ||
    hasKeyword(message.text ?? "", options.keywords)
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
    const { text = "", attachments = [] } = message;
    const body = truncate(plainTextOf({ ...message, text, attachments }), TEXT_CELLS);
    const { id, cid: channel, user } = message;
    await deliver(shell, { title, body, kind: "message", channel, message: id, user: user.id });
  };

export default command({
  shell: true,
  group: "Daily",
  summary: "Show a desktop notification for each incoming message",
  examples: ["notify --mentions", "notify '#ops' '#builds'"],
  allowsDryRun: true,
  args: {
    channels: {
      kind: "list",
      positional: true,
      optional: true,
      help: "Only these channels, even if muted (default: all of yours that are not muted)",
    },
    mentions: { kind: "flag", help: "Only messages that mention, quote or answer you, and direct ones" },
    exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
  },
  async run(shell: Shell, { channels, mentions, exitAfter }) {
    const cids = channels.map((text) => readChannel(text, shell.settings.channelType));
    const options = {
      ...fromNow(cids, exitAfter),
      shows: ({ type }: { type: string }) => type === "message.new",
    };
    const handle = eventOutput(shell, {
      mentions: mentions === true,
      keywords: shell.settings["notifications.words"],
      areNamed: cids.length > 0,
    });
    return followEvents(shell, "notify", options, { handle, done: new Promise(() => {}) });
  },
});
