/** Event names that belong to the protocol (specification/events.md §4). */

/** Events that clients send while the user types. */
export const TYPING_EVENTS: ReadonlySet<string> = new Set(["typing.start", "typing.stop"]);

/** Event names with a prefix of the protocol, which callers may not send. */
export const RESERVED_EVENT =
  /^(?:health|connection|transport|message|notification|reaction|thread|channel|member|typing|user|poll|draft|reminder|campaign|export|moderation|review_queue_item|flag|appeal|call|feeds|user_group|channel_batch_update|moderation_check|moderation_rule)\./;
