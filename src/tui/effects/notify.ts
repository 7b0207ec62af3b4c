/** Sends desktop notifications for messages and reminders that arrive while the window has no focus. */
import { channelTitle, isDirect, isMuted, userName } from "../../model/channels.ts";
import type { NoticeFacts } from "../../config/notice-program.ts";
import { holdMessage, isMessage } from "../../model/client-message.ts";
import { hasKeyword, isNotifiable } from "../../model/notifiable.ts";
import type { ChannelEntry, ClientMessage, State } from "../../model/state.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { levelOf, quietUntil } from "../views/preferences/do-not-disturb.ts";

/** The message of an event if it may notify. */
function notifiableMessage(event: AnyEvent, { me }: State, now: number): ClientMessage | undefined {
  const { message: received } = event as { message?: unknown };
  if (!isMessage(received) || !isNotifiable(received, me, now)) return undefined;
  return holdMessage(received, (user) => user);
}

type Needs = Pick<Ports, "core" | "store" | "settings" | "terminal" | "clock">;

function passesLevel(message: ClientMessage, entry: ChannelEntry, { core, settings }: Needs): boolean {
  const channelLevel = levelOf(core, entry);
  const level = channelLevel === "default" ? settings.notifications : channelLevel;
  if (level === "none" || level === "off") return false;
  if (level === "all") return true;
  const mentioned = message.mentioned_users.some((user) => user.id === core.userId);
  return (
    mentioned || (level === "direct" && isDirect(entry)) || hasKeyword(message.text, settings.keywords ?? "")
  );
}

/** The window has no focus and do-not-disturb is off. Reads core's state and its clock, because the model may be older than the event. */
function mayNotify({ core, store: { screen }, clock }: Needs): boolean {
  return !screen.windowFocused && quietUntil(core.state(), screen, clock.now()) === undefined;
}

/** Sends the notification through the user's own program if one is set, else through the terminal. */
function sendNotification({ terminal, settings }: Needs, facts: NoticeFacts): void {
  const body = settings.noticeText === false ? words.quiet.hidden[facts.kind] : facts.body;
  if (!terminal.pipeToProgram?.({ ...facts, body })) terminal.notify(facts.title, body);
}

/** Most messages that wait until their channel is loaded. */
const MAX_WAITING = 20;
/** How long they wait, ms: later, the message is no news. */
const MAX_WAIT_MS = 60_000;

/** Notifies of new messages and due reminders while the window has no focus, never for muted channels (specification/screen.md §7). */
export class DesktopNotices {
  readonly #ports: Needs;
  /** Messages whose channel is being loaded: the first ones of a channel, and those that arrive during a start. */
  #waiting: readonly { event: AnyEvent; since: number }[] = [];

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  eventReceived(event: AnyEvent): void {
    if (event.type === "notification.reminder_due") return notifyDue(event, this.#ports);
    if (this.#isLoaded(event)) return notifyOfMessage(event, this.#ports);
    const since = this.#ports.clock.now();
    this.#waiting = [...this.#waiting, { event, since }].slice(-MAX_WAITING);
  }

  modelChanged(): void {
    if (this.#waiting.length === 0) return;
    const oldest = this.#ports.clock.now() - MAX_WAIT_MS;
    const recent = this.#waiting.filter(({ since }) => since >= oldest);
    this.#waiting = recent.filter(({ event }) => !this.#isLoaded(event));
    for (const { event } of recent) if (this.#isLoaded(event)) notifyOfMessage(event, this.#ports);
  }

  #isLoaded({ cid }: AnyEvent): boolean {
    return cid === undefined || this.#ports.core.state().channels.has(cid);
  }
}

function notifyOfMessage(event: AnyEvent, ports: Needs): void {
  const { core, clock } = ports;
  const now = clock.now();
  const state = core.state();
  const message = notifiableMessage(event, state, now);
  const cid = event.cid ?? message?.cid;
  const entry = cid === undefined ? undefined : state.channels.get(cid);
  if (!message || !entry || !mayNotify(ports) || isMuted(state, entry.cid, now)) return;
  if (!passesLevel(message, entry, ports)) return;
  const title = `${userName(message.user)} · ${channelTitle(entry, core.userId)}`;
  const { id } = message;
  const user = message.user?.id;
  const facts = {
    title,
    body: cleanLine(message.text),
    kind: "message",
    channel: entry.cid,
    message: id,
  } as const;
  sendNotification(ports, { ...facts, ...(user !== undefined && { user }) });
}

/** Reminders are the user's own, so only the level `off` suppresses them. */
function notifyDue(event: AnyEvent, ports: Needs): void {
  if (ports.settings.notifications === "off" || !mayNotify(ports)) return;
  const { message_id: message = "", reminder } = event as {
    message_id?: string;
    reminder?: { message?: { text?: string }; channel_cid?: string };
  };
  const body = cleanLine(reminder?.message?.text ?? "");
  const channel = reminder?.channel_cid ?? event.cid;
  sendNotification(ports, {
    title: words.quiet.due,
    body,
    kind: "reminder",
    message,
    ...(channel !== undefined && { channel }),
  });
}
