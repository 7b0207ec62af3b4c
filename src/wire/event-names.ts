/** Which names of events belong to the protocol (specification/events.md §4). */

/** Those that a client sends by itself while somebody types. */
export const TYPING_EVENTS: ReadonlySet<string> = new Set(["typing.start", "typing.stop"]);

/** Names whose first part belongs to the protocol: nobody may forge them. */
export const RESERVED_EVENT =
  /^(?:health|connection|transport|message|notification|reaction|thread|channel|member|typing|user|poll|draft|reminder|campaign|export|moderation|review_queue_item|flag|appeal|call|feeds|user_group|channel_batch_update|moderation_check|moderation_rule)\./;
