/** Who is connected, what each connection watches, and the indexes that find the recipients of an event. */

/** One serialised event; all recipients share the text and its bytes. */
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

/** The way to one client: a socket or a long-poll session. */
export interface ClientLink {
  /** Frames handed over that the client has not taken yet: robots wait for it to sink. */
  readonly backlog: number;
  send(packet: Packet): void;
  /** Ends the link with a close code of specification/realtime.md §5, after an error frame when there is one. */
  close(code: number, error?: string): void;
}

export class ClientConnection {
  readonly id: string;
  readonly userId: string;
  readonly anonymous: boolean;
  readonly link: ClientLink;
  /** When the token was issued and when it ends, whole microseconds; undefined when it does not say. A long poll may bring a newer one. */
  issuedAt: number | undefined;
  endsAt: number | undefined;
  readonly watched = new Set<string>();
  readonly presence = new Set<string>();
  /** Events before the first frame wait here: the first frame comes first. */
  #held: Packet[] | undefined = [];

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

  /** Sends the first frame, then what happened since the connection was registered; undefined when it was sent otherwise. */
  begin(first: Packet | undefined): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (first) this.link.send(first);
    for (const packet of held) this.link.send(packet);
  }

  deliver(packet: Packet): void {
    if (this.#held) this.#held.push(packet);
    else this.link.send(packet);
  }
}

function add<K>(index: Map<K, Set<ClientConnection>>, key: K, connection: ClientConnection): void {
  const set = index.get(key);
  if (set) set.add(connection);
  else index.set(key, new Set([connection]));
}

function drop<K>(index: Map<K, Set<ClientConnection>>, key: K, connection: ClientConnection): void {
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
  /** Users whose last connection closed less than the grace ago: still online to others. */
  readonly lingering = new Set<string>();

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
  of(userId: string): ReadonlySet<ClientConnection> {
    return this.#users.get(userId) ?? NONE;
  }
  watchersOf(cid: string): ReadonlySet<ClientConnection> {
    return this.#channels.get(cid) ?? NONE;
  }
  observersOf(userId: string): ReadonlySet<ClientConnection> {
    return this.#observed.get(userId) ?? NONE;
  }
  online(userId: string): boolean {
    return this.#users.has(userId) || this.lingering.has(userId);
  }
  isWatching(userId: string, cid: string): boolean {
    for (const connection of this.of(userId)) if (connection.watched.has(cid)) return true;
    return false;
  }

  open(connection: ClientConnection): void {
    this.#connections.set(connection.id, connection);
    add(this.#users, connection.userId, connection);
  }

  /** Watches and presence end with the connection; false when it was already gone. */
  close(connection: ClientConnection): boolean {
    if (!this.#connections.delete(connection.id)) return false;
    drop(this.#users, connection.userId, connection);
    for (const cid of connection.watched) drop(this.#channels, cid, connection);
    for (const userId of connection.presence) drop(this.#observed, userId, connection);
    return true;
  }

  watch(connection: ClientConnection, cid: string): void {
    connection.watched.add(cid);
    add(this.#channels, cid, connection);
  }
  unwatch(connection: ClientConnection, cid: string): void {
    connection.watched.delete(cid);
    drop(this.#channels, cid, connection);
  }
  observe(connection: ClientConnection, userId: string): void {
    connection.presence.add(userId);
    add(this.#observed, userId, connection);
  }
  ignore(connection: ClientConnection, userId: string): void {
    connection.presence.delete(userId);
    drop(this.#observed, userId, connection);
  }
}
