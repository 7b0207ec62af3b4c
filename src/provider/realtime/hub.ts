/** The open connections, what each watches, and the indexes that find the recipients of an event. */

/** One serialized event; all recipients share its text and bytes. */
export class Packet {
  readonly text: string;
  #encoded: Buffer | undefined;
  constructor(text: string) {
    this.text = text;
  }
  get bytes(): Buffer {
    return (this.#encoded ??= Buffer.from(this.text));
  }
}

/** The transport of one connection: a socket or a long-poll session. */
export interface ClientLink {
  /** Number of sent frames that the client has not received yet; robots wait for it to shrink. */
  readonly backlog: number;
  send(packet: Packet): void;
  /** Closes the link with a close code of specification/realtime.md §5, after an optional error frame. */
  close(code: number, error?: string): void;
}

export class ClientConnection {
  readonly id: string;
  readonly userId: string;
  readonly anonymous: boolean;
  readonly link: ClientLink;
  /** When the token was issued and when it expires, whole microseconds, if known. A long poll may bring a newer token. */
  issuedAt: number | undefined;
  endsAt: number | undefined;
  readonly watched = new Set<string>();
  readonly presence = new Set<string>();
  /** Events that arrive before the first frame is sent. */
  #queuedPackets: Packet[] | undefined = [];

  constructor(
    id: string,
    userId: string,
    anonymous: boolean,
    link: ClientLink,
    token: { issuedAt?: number; endsAt?: number } = {},
  ) {
    this.issuedAt = token.issuedAt;
    this.endsAt = token.endsAt;
    this.id = id;
    this.userId = userId;
    this.anonymous = anonymous;
    this.link = link;
  }

  /** Sends the first frame (undefined when it was sent another way), then the events since the connection was registered. */
  begin(first: Packet | undefined): void {
    const packets = this.#queuedPackets ?? [];
    this.#queuedPackets = undefined;
    if (first) this.link.send(first);
    for (const packet of packets) this.link.send(packet);
  }

  deliver(packet: Packet): void {
    if (this.#queuedPackets) this.#queuedPackets.push(packet);
    else this.link.send(packet);
  }
}

function add<K>(index: Map<K, Set<ClientConnection>>, key: K, connection: ClientConnection): void {
  const set = index.get(key);
  if (set) set.add(connection);
  else index.set(key, new Set([connection]));
}

function remove<K>(index: Map<K, Set<ClientConnection>>, key: K, connection: ClientConnection): void {
  const set = index.get(key);
  set?.delete(connection);
  if (set?.size === 0) index.delete(key);
}

const NONE: ReadonlySet<ClientConnection> = new Set();

export class Hub {
  readonly #connections = new Map<string, ClientConnection>();
  readonly #users = new Map<string, Set<ClientConnection>>();
  readonly #channels = new Map<string, Set<ClientConnection>>();
  readonly #observed = new Map<string, Set<ClientConnection>>();
  /** Users whose last connection closed less than the grace period ago; others still see them online. */
  readonly inGracePeriod = new Set<string>();

  get size(): number {
    return this.#connections.size;
  }
  all(): Iterable<ClientConnection> {
    return this.#connections.values();
  }
  get(connectionId: string): ClientConnection | undefined {
    return this.#connections.get(connectionId);
  }
  /** Connections by user id, anonymous ones under `!anon`. */
  get byUser(): ReadonlyMap<string, ReadonlySet<ClientConnection>> {
    return this.#users;
  }
  connectionsOf(userId: string): ReadonlySet<ClientConnection> {
    return this.#users.get(userId) ?? NONE;
  }
  watchersOf(cid: string): ReadonlySet<ClientConnection> {
    return this.#channels.get(cid) ?? NONE;
  }
  observersOf(userId: string): ReadonlySet<ClientConnection> {
    return this.#observed.get(userId) ?? NONE;
  }
  online(userId: string): boolean {
    return this.#users.has(userId) || this.inGracePeriod.has(userId);
  }
  isWatching(userId: string, cid: string): boolean {
    for (const connection of this.connectionsOf(userId)) if (connection.watched.has(cid)) return true;
    return false;
  }

  open(connection: ClientConnection): void {
    this.#connections.set(connection.id, connection);
    add(this.#users, connection.userId, connection);
  }

  /** Removes the connection with its watches and presence subscriptions; false when it was already removed. */
  close(connection: ClientConnection): boolean {
    if (!this.#connections.delete(connection.id)) return false;
    remove(this.#users, connection.userId, connection);
    for (const cid of connection.watched) remove(this.#channels, cid, connection);
    for (const userId of connection.presence) remove(this.#observed, userId, connection);
    return true;
  }

  watch(connection: ClientConnection, cid: string): void {
    connection.watched.add(cid);
    add(this.#channels, cid, connection);
  }
  unwatch(connection: ClientConnection, cid: string): void {
    connection.watched.delete(cid);
    remove(this.#channels, cid, connection);
  }
  observe(connection: ClientConnection, userId: string): void {
    connection.presence.add(userId);
    add(this.#observed, userId, connection);
  }
  unobserve(connection: ClientConnection, userId: string): void {
    connection.presence.delete(userId);
    remove(this.#observed, userId, connection);
  }
}
