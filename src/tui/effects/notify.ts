/** Sends desktop notifications for messages and reminders that arrive while the window has no focus. */
import { channelTitle, isDirect, isMuted, userName } from "../../model/channels.ts";
import type { NoticeFacts } from "../../config/notice-program.ts";
import { plainTextOf, saidIn } from "../../model/message-words.ts";
import { holdMessage, isMessage } from "../../model/client-message.ts";
import { answersMe, hasKeyword, isNotifiable } from "../../model/notifiable.ts";
import { latestSet, parentOf } from "../../model/select.ts";
import { placeKey } from "../screen/place-key.ts";
import type { ChannelEntry, ClientMessage, State } from "../../model/state.ts";
import { flatText } from "../../text/markup.ts";
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

/** A reply in a thread that the user takes part in, by what is held of it. */
function isInMyThread({ cid, parent_id: parentId }: ClientMessage, { core }: Needs): boolean {
  if (!parentId) return false;
  const me = core.userId;
  const replies = latestSet(core.state(), { cid, parentId })?.messages;
  return (
    core.threads.state().threads.some(({ parent_message_id: id }) => id === parentId) ||
    [...(replies ?? [])].some(({ user }) => user?.id === me)
  );
}

/** At the level `direct`: what is written to the user, or answers them. */
function isDirectedAtMe(message: ClientMessage, entry: ChannelEntry, ports: Needs): boolean {
  const { core } = ports;
  const parent = message.parent_id ? parentOf(core.state(), entry.cid, message.parent_id) : undefined;
  return isDirect(entry) || answersMe(message, core.userId, parent) || isInMyThread(message, ports);
}

function passesLevel(message: ClientMessage, entry: ChannelEntry, ports: Needs): boolean {
  const { core, settings } = ports;
  const channelLevel = levelOf(core, entry);
  const level = channelLevel === "default" ? settings.notifications : channelLevel;
  if (level === "none" || level === "off") return false;
  if (level === "all") return true;
  const mentioned = message.mentioned_users.some((user) => user.id === core.userId);
  return (
    mentioned ||
    (level === "direct" && isDirectedAtMe(message, entry, ports)) ||
    hasKeyword(message.text, settings.keywords ?? "")
  );
}

/** The window has no focus and do-not-disturb is off. Reads core's state and its clock, because the model may be older than the event. */
function mayNotify({ core, store: { screen }, clock }: Needs): boolean {
  return !screen.windowFocused && quietUntil(core.state(), screen, clock.now()) === undefined;
}

/** Sends the notification through the user's own program if one is set, else through the terminal. */
function sendNotification({ terminal, settings }: Needs, facts: NoticeFacts, key?: string): void {
  const body = settings.noticeText === false ? words.quiet.hidden[facts.kind] : facts.body;
  if (!terminal.pipeToProgram?.({ ...facts, body })) terminal.notify(facts.title, body, key);
}

/** Most messages that wait until their channel is loaded. */
const MAX_WAITING = 20;
/** How long they wait, ms: later, the message is no news. */
const MAX_WAIT_MS = 60_000;
/** Messages of a conversation that arrive within this time are one notice, ms. */
export const GATHER_MS = 300;
/** Least time between two notices of a conversation, ms. */
const PAUSE_MS = 5000;

/** What of a channel or thread was announced and has not been read since. */
interface Conversation {
  /** Ids of its messages, oldest first. */
  messages: Set<string>;
  newest: ClientMessage;
  shownAt: number;
  /** It was seen unread: some channels have no numbers. */
  wasUnread?: boolean;
  /** Of the next notice. */
  timer?: unknown;
}

/** Notifies of new messages and due reminders while the window has no focus, never for muted channels: one notice for each conversation, with a count (specification/screen.md §7). */
export class DesktopNotices {
  readonly #ports: Needs;
  /** Messages whose channel is being loaded: the first ones of a channel, and those that arrive during a start. */
  #waiting: readonly { event: AnyEvent; since: number }[] = [];
  readonly #conversations = new Map<string, Conversation>();

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  eventReceived(event: AnyEvent): void {
    if (event.type === "notification.reminder_due") return notifyDue(event, this.#ports);
    if (this.#isLoaded(event)) return this.#messageReceived(event);
    const since = this.#ports.clock.now();
    this.#waiting = [...this.#waiting, { event, since }].slice(-MAX_WAITING);
  }

  modelChanged(): void {
    this.#withdrawRead();
    if (this.#waiting.length === 0) return;
    const oldest = this.#ports.clock.now() - MAX_WAIT_MS;
    const recent = this.#waiting.filter(({ since }) => since >= oldest);
    this.#waiting = recent.filter(({ event }) => !this.#isLoaded(event));
    for (const { event } of recent) if (this.#isLoaded(event)) this.#messageReceived(event);
  }

  #isLoaded({ cid }: AnyEvent): boolean {
    return cid === undefined || this.#ports.core.state().channels.has(cid);
  }

  #messageReceived(event: AnyEvent): void {
    const { core, clock } = this.#ports;
    const now = clock.now();
    const state = core.state();
    const message = notifiableMessage(event, state, now);
    const entry = message && state.channels.get(event.cid ?? message.cid);
    if (!message || !entry || !mayNotify(this.#ports) || isMuted(state, entry.cid, now)) return;
    if (!passesLevel(message, entry, this.#ports)) return;
    this.#gather(entry.cid, message, now);
  }

  #gather(cid: string, message: ClientMessage, now: number): void {
    const parentId = message.parent_id || undefined;
    const key = placeKey(parentId === undefined ? { cid } : { cid, parentId });
    const known = this.#conversations.get(key) ?? {
      messages: new Set(),
      newest: message,
      shownAt: -Infinity,
    };
    if (known.messages.has(message.id)) return;
    known.messages.add(message.id);
    known.newest = message;
    this.#conversations.set(key, known);
    const wait = Math.max(GATHER_MS, known.shownAt + PAUSE_MS - now);
    known.timer ??= this.#ports.clock.setTimeout(() => this.#show(key, cid), wait);
  }

  #show(key: string, cid: string): void {
    const { core, clock } = this.#ports;
    const state = core.state();
    const conversation = this.#conversations.get(key);
    const entry = state.channels.get(cid);
    if (!conversation || !entry) return;
    delete conversation.timer;
    const now = clock.now();
    if (!mayNotify(this.#ports) || isMuted(state, cid, now)) return;
    conversation.shownAt = now;
    const { newest, messages } = conversation;
    const user = newest.user?.id;
    const facts = {
      ...noticeTexts(newest, channelTitle(entry, core.userId), messages.size),
      kind: "message" as const,
      channel: cid,
      message: newest.id,
      ...(messages.size > 1 && { count: messages.size }),
      ...(user !== undefined && { user }),
    };
    sendNotification(this.#ports, facts, key);
  }

  /** A conversation that was read, here or on another device, needs no notice; one of a thread ends when the window has the focus. */
  #withdrawRead(): void {
    const { core, store, terminal, clock } = this.#ports;
    for (const [key, conversation] of this.#conversations) {
      const { newest, wasUnread = false } = conversation;
      const unread = core.state().channels.get(newest.cid)?.unread ?? 0;
      conversation.wasUnread = wasUnread || unread > 0;
      const isRead = newest.parent_id ? store.screen.windowFocused : wasUnread && unread === 0;
      if (!isRead) continue;
      clock.clearTimeout(conversation.timer);
      this.#conversations.delete(key);
      terminal.withdraw(key);
    }
  }
}

/** `Ana · #general` and the text, or `#general · 3 messages` and the newest; a channel named after its author is named once. */
function noticeTexts(message: ClientMessage, place: string, count: number): { title: string; body: string } {
  const author = userName(message.user);
  const said = plainTextOf(message);
  if (count === 1) return { title: author === place ? author : `${author} · ${place}`, body: said };
  return { title: words.quiet.several(place, count), body: saidIn(place, author, said) };
}

/** Reminders are the user's own, so only the level `off` suppresses them. */
function notifyDue(event: AnyEvent, ports: Needs): void {
  if (ports.settings.notifications === "off" || !mayNotify(ports)) return;
  const { message_id: message = "", reminder } = event as {
    message_id?: string;
    reminder?: { message?: { text?: string }; channel_cid?: string };
  };
  const body = cleanLine(flatText(reminder?.message?.text ?? ""));
  const channel = reminder?.channel_cid ?? event.cid;
  sendNotification(ports, {
    title: words.quiet.due,
    body,
    kind: "reminder",
    message,
    ...(channel !== undefined && { channel }),
  });
}
