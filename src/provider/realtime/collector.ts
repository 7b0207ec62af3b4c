/** Collects the events of one call: recipients and text are fixed at once, delivery follows after the commit. */
import { CLOSE_POLICY } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { splitCid } from "../../wire/ids.ts";
import { timeFromMicros } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import { ApiProblem } from "../base/handler.ts";
import { errorBody } from "../base/errors.ts";
import { isHookable } from "../hooks/event-hooks.ts";
import type { Domain } from "../base/ports.ts";
import type { Database } from "../base/database.ts";
import type { Emit, DisconnectTarget, Outgoing } from "../base/emit.ts";
import { Packet, type ClientConnection, type Hub } from "./hub.ts";
import { isLogged, logEvent } from "./log.ts";

export interface CollectorContext {
  hub: Hub;
  db: Database;
  domain: Pick<Domain, "membersAmong" | "blockedRecipient">;
  now(): number;
  /** Rewrites signed file addresses in a JSON text. */
  refresh(json: string): string;
  /** Queues an event for the app's hooks, within the transaction; absent where hooks get nothing. */
  hook?(event: AnyEvent, time: number, emit: Pick<Emit, "online">): void;
}

/** Events for one user that hooks get too. Other user events are private or repeat a channel event. */
const PERSONAL_HOOKS = new Set([
  "user.banned",
  "user.unbanned",
  "user.messages.deleted",
  "channel.hidden",
  "channel.visible",
  "reminder.created",
  "reminder.updated",
  "reminder.deleted",
  "notification.reminder_due",
]);

/**
 * Recipients are resolved when an event is emitted, so that a user removed later in the same call still gets it,
 * and two calls of one turn see each other's watches.
 */
export class Collector implements Emit {
  readonly #context: CollectorContext;
  readonly #deliveries: { packet: Packet; recipients: ClientConnection[] }[] = [];
  readonly #undos: (() => void)[] = [];
  readonly #disconnects: { target: DisconnectTarget; error: string }[] = [];
  /** Broadcast events of channels, for listeners inside the provider. */
  readonly broadcasts: AnyEvent[] = [];
  /** Events for servers only (code S). */
  readonly serverEvents: AnyEvent[] = [];

  constructor(context: CollectorContext) {
    this.#context = context;
  }

  #complete(event: Outgoing, cid?: string): { event: AnyEvent; time: number } {
    const time = this.#context.now();
    const parts = cid === undefined ? undefined : splitCid(cid);
    return {
      time,
      event: {
        created_at: timeFromMicros(time),
        ...(parts ? { cid, channel_type: parts.type, channel_id: parts.id } : {}),
        ...event,
      } as AnyEvent,
    };
  }

  #text(event: AnyEvent): string {
    return this.#context.refresh(JSON.stringify(event));
  }

  #queue(packet: Packet, recipients: ClientConnection[]): void {
    if (recipients.length) this.#deliveries.push({ packet, recipients });
  }

  watchers(
    cid: string,
    outgoing: Outgoing,
    only?: ReadonlySet<string>,
    perUser?: (userId: string) => Record<string, unknown> | undefined,
  ): void {
    const { event, time } = this.#complete(outgoing, cid);
    const { hub, db } = this.#context;
    this.broadcasts.push(event);
    if (isHookable(event.type)) this.#context.hook?.(event, time, this);
    const watching = hub.watchersOf(cid);
    const logged = isLogged(event.type);
    if (!logged && watching.size === 0) return;
    const text = this.#text(event);
    if (logged) for (const userId of only ?? [undefined]) logEvent(db, cid, userId, time, event, text);
    const blocked = watching.size > 0 ? this.#blockedRecipient(cid, event) : undefined;
    const shared: ClientConnection[] = [];
    const personal = new Map<string, { packet: Packet; recipients: ClientConnection[] } | undefined>();
    for (const connection of watching) {
      const { userId } = connection;
      if ((only && !only.has(userId)) || userId === blocked) continue;
      if (perUser && !connection.anonymous) {
        if (!personal.has(userId)) {
          const extra = perUser(userId);
          personal.set(
            userId,
            extra && { packet: new Packet(withExtraKeys(event, text, extra)), recipients: [] },
          );
        }
        const variant = personal.get(userId);
        if (variant) {
          variant.recipients.push(connection);
          continue;
        }
      }
      shared.push(connection);
    }
    this.#queue(new Packet(text), shared);
    for (const variant of personal.values()) if (variant) this.#queue(variant.packet, variant.recipients);
  }

  membersNotWatching(cid: string, outgoingFor: (userId: string) => Outgoing | undefined): void {
    const { hub, db, domain } = this.#context;
    if (hub.byUser.size === 0) return;
    for (const userId of domain.membersAmong(db, cid, hub.byUser)) {
      const recipients = [...hub.connectionsOf(userId)].filter((c) => !c.anonymous && !c.watched.has(cid));
      if (!recipients.length) continue;
      const outgoing = outgoingFor(userId);
      if (outgoing && this.#blockedRecipient(cid, outgoing) !== userId)
        this.#queue(new Packet(this.#text(this.#complete(outgoing, cid).event)), recipients);
    }
  }

  user(userId: string, outgoing: Outgoing, options: { cid?: string; unlessWatching?: boolean } = {}): void {
    const { cid, unlessWatching } = options;
    if (cid !== undefined && this.#blockedRecipient(cid, outgoing) === userId) return;
    const { event, time } = this.#complete(outgoing, cid);
    const eventCid = event.cid;
    if (PERSONAL_HOOKS.has(event.type) && (eventCid === undefined || !event.type.startsWith("user.")))
      this.#context.hook?.(event, time, this);
    const logged = eventCid !== undefined && isLogged(event.type);
    const recipients = [...this.#context.hub.connectionsOf(userId)].filter(
      (c) => !c.anonymous && !(unlessWatching && cid !== undefined && c.watched.has(cid)),
    );
    if (!logged && !recipients.length) return;
    const text = this.#text(event);
    if (logged) logEvent(this.#context.db, eventCid, userId, time, event, text);
    this.#queue(new Packet(text), recipients);
  }

  /** The member of a channel of two who does not get this event, having blocked the user who caused it (specification/events.md §2). */
  #blockedRecipient(cid: string, event: Outgoing | AnyEvent): string | undefined {
    const causedBy = (event.user as User | undefined)?.id;
    return causedBy === undefined
      ? undefined
      : this.#context.domain.blockedRecipient(this.#context.db, cid, causedBy);
  }

  server(outgoing: Outgoing): void {
    const { event, time } = this.#complete(outgoing, outgoing.cid as string | undefined);
    this.serverEvents.push(event);
    this.#context.hook?.(event, time, this);
  }

  /** `except`: the connection whose opening caused the event; its first frame contains the same. */
  presence(userId: string, outgoing: Outgoing, except?: ClientConnection): void {
    const { hub } = this.#context;
    const all = new Set([...hub.observersOf(userId), ...hub.connectionsOf(userId)]);
    if (except) all.delete(except);
    const recipients = [...all];
    if (!recipients.length && !this.#context.hook) return;
    const { event, time } = this.#complete(outgoing);
    this.#context.hook?.(event, time, this);
    if (recipients.length) this.#queue(new Packet(this.#text(event)), recipients);
  }

  watch(connectionId: string, cid: string): boolean {
    const { hub } = this.#context;
    const connection = hub.get(connectionId);
    if (!connection || connection.watched.has(cid)) return false;
    const before = hub.isWatching(connection.userId, cid);
    hub.watch(connection, cid);
    this.#undos.push(() => hub.unwatch(connection, cid));
    return !before && !connection.anonymous;
  }

  unwatch(connectionId: string, cid: string): boolean {
    const { hub } = this.#context;
    const connection = hub.get(connectionId);
    if (!connection?.watched.has(cid)) return false;
    this.#end(connection, cid);
    return !connection.anonymous && !hub.isWatching(connection.userId, cid);
  }

  endWatch(cid: string, userId?: string): void {
    for (const connection of this.#context.hub.watchersOf(cid))
      if (userId === undefined || connection.userId === userId) this.#end(connection, cid);
  }

  #end(connection: ClientConnection, cid: string): void {
    const { hub } = this.#context;
    hub.unwatch(connection, cid);
    this.#undos.push(() => {
      if (hub.get(connection.id)) hub.watch(connection, cid);
    });
  }

  subscribePresence(connectionId: string, userIds: string[]): void {
    const { hub } = this.#context;
    const connection = hub.get(connectionId);
    // Anonymous users subscribe to nothing (specification/realtime.md §8).
    if (!connection || connection.anonymous) return;
    for (const userId of userIds)
      if (!connection.presence.has(userId)) {
        hub.observe(connection, userId);
        this.#undos.push(() => hub.unobserve(connection, userId));
      }
  }

  watcherInfo(cid: string): { userIds: string[]; count: number } {
    const connections = this.#context.hub.watchersOf(cid);
    const users = new Set<string>();
    let anonymous = 0;
    for (const connection of connections)
      if (connection.anonymous) anonymous++;
      else users.add(connection.userId);
    // A user's second connection causes no event, so it must not count: other clients would keep showing the old number.
    return { userIds: [...users], count: users.size + anonymous };
  }

  isOpen(connectionId: string, userId: string): boolean {
    return this.#context.hub.get(connectionId)?.userId === userId;
  }

  online(userId: string): boolean {
    return this.#context.hub.online(userId);
  }

  disconnect(target: DisconnectTarget, code: number, reason: string): void {
    const error = errorBody("Connect", new ApiProblem(code, reason), performance.now());
    this.#disconnects.push({ target, error: JSON.stringify({ error }) });
  }

  register(connection: ClientConnection): void {
    const { hub } = this.#context;
    hub.open(connection);
    this.#undos.push(() => hub.close(connection));
  }

  /** Reverts every change in memory, newest first. */
  undo(): void {
    for (const undo of this.#undos.toReversed()) undo();
    this.#undos.length = 0;
    this.discard();
  }

  /** Drops the events of a call that should reach nobody (the demo's history). */
  discard(): void {
    this.#deliveries.length = 0;
    this.broadcasts.length = 0;
    this.serverEvents.length = 0;
    this.#disconnects.length = 0;
  }

  /** After the commit: delivers the events in order to the connections still open, then closes the disconnected ones. */
  flush(): void {
    const { hub } = this.#context;
    for (const { packet, recipients } of this.#deliveries)
      for (const connection of recipients)
        if (hub.get(connection.id) === connection) connection.deliver(packet);
    this.#deliveries.length = 0;
    for (const { target, error } of this.#disconnects.splice(0))
      for (const connection of Array.from(
        target.userId === undefined ? hub.all() : hub.connectionsOf(target.userId),
      )) {
        const { anonymous, issuedAt } = connection;
        const matches =
          target.issuedBefore === undefined || issuedAt === undefined || issuedAt < target.issuedBefore;
        if (matches && !anonymous) connection.link.close(CLOSE_POLICY, error);
      }
  }
}

/** The shared text with personal keys appended; serialized again only when one of them replaces a shared key. */
function withExtraKeys(event: AnyEvent, text: string, extra: Record<string, unknown>): string {
  const keys = Object.keys(extra);
  if (!keys.length) return text;
  if (keys.some((key) => key in event)) return JSON.stringify({ ...event, ...extra });
  return `${text.slice(0, -1)},${JSON.stringify(extra).slice(1)}`;
}
