/** The event interface of handlers: collected in a transaction, delivered in order after its commit. */

/** An event without `created_at` and channel keys: those are filled in. */
export type Outgoing = { type: string } & Record<string, unknown>;

/** Whose connections end: those of one user or of everybody; with `issuedBefore` (whole microseconds) only where the token is older, or does not say how old it is. */
export interface Expelled {
  userId?: string;
  issuedBefore?: number;
}

export interface Emit {
  /**
   * W: every connection watching the channel, the actor's included. `only` narrows the recipients to these users
   * (restricted messages, hidden read receipts); `perUser` adds personal keys for members (counters).
   */
  watchers(
    cid: string,
    event: Outgoing,
    only?: ReadonlySet<string>,
    perUser?: (userId: string) => Record<string, unknown> | undefined,
  ): void;
  /** N: every connection of a member that is not watching; `undefined` leaves that member out. */
  membersNotWatching(cid: string, event: (userId: string) => Outgoing | undefined): void;
  /** U: all connections of one user; with `away`, only those not watching that channel. */
  user(userId: string, event: Outgoing, options?: { cid?: string; unlessWatching?: boolean }): void;
  /** S: nobody's connection, webhooks and queues only. */
  server(event: Outgoing): void;
  /** P: connections presence-subscribed to the user, and the user's own. */
  presence(userId: string, event: Outgoing): void;
  /** Makes the connection of this call watch the channel; true when the user was not watching before on any connection. */
  watch(connectionId: string, cid: string): boolean;
  unwatch(connectionId: string, cid: string): boolean;
  /** Ends the watching of one user, or of everybody, once the events gathered so far are delivered (leaving, deletion). */
  endWatch(cid: string, userId?: string): void;
  /** Subscribes the connection to the presence of these users. */
  subscribePresence(connectionId: string, userIds: string[]): void;
  /**
   * Before many channels are read: asks for all at once who watches them, and with `watch` makes the connection of this
   * call one of them. Only where connections live in another thread.
   */
  enter?(cids: readonly string[], watch: boolean): void;
  /** Users with a live connection that watch the channel, and how many: each user once, and each anonymous connection. */
  watching(cid: string): { userIds: string[]; count: number };
  /** Is a connection of this user with this id open. */
  isOpen(connectionId: string, userId: string): boolean;
  online(userId: string): boolean;
  /** Ends connections after the commit, each with an error frame and 1008. */
  expel(who: Expelled, code: number, reason: string): void;
}
