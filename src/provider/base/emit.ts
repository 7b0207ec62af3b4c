/** How handlers emit events: collected in a transaction, delivered in order after its commit. */

/** An event without `created_at` and channel keys, which are filled in later. */
export type Outgoing = { type: string } & Record<string, unknown>;

/** Whose connections to close: one user's or everybody's; with `issuedBefore` (whole microseconds) only those whose token is older or has no issue time. */
export interface DisconnectTarget {
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
  /** U: all connections of one user; with `unlessWatching`, only those not watching that channel. */
  user(userId: string, event: Outgoing, options?: { cid?: string; unlessWatching?: boolean }): void;
  /** S: nobody's connection, webhooks and queues only. */
  server(event: Outgoing): void;
  /** P: connections presence-subscribed to the user, and the user's own. */
  presence(userId: string, event: Outgoing): void;
  /** Makes the connection watch the channel; true when the user was not watching on any connection before. */
  watch(connectionId: string, cid: string): boolean;
  unwatch(connectionId: string, cid: string): boolean;
  /** Stops one user, or everybody, watching once the events collected so far are delivered (for leaving and deletion). */
  endWatch(cid: string, userId?: string): void;
  subscribePresence(connectionId: string, userIds: string[]): void;
  /**
   * Fetches the watchers of many channels at once before they are read; with `watch`, the connection of this call starts
   * watching them. Only present in a reading thread, where connections live in another thread.
   */
  loadWatchers?(cids: readonly string[], watch: boolean): void;
  /** The connected users that watch the channel, and the number of watchers: each user once, plus each anonymous connection. */
  watcherInfo(cid: string): { userIds: string[]; count: number };
  isOpen(connectionId: string, userId: string): boolean;
  online(userId: string): boolean;
  /** Closes connections after the commit, each with an error frame and close code 1008. */
  disconnect(target: DisconnectTarget, code: number, reason: string): void;
}
