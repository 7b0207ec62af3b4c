/** How a segment is shown. */
import type { Segment } from "../../wire/entities/segment.ts";
import { fieldsView, type View } from "../base/define-command.ts";

/** What it picks: everybody, the sender's channels, a filter, or a list. */
export const pickOf = (segment: Segment): string =>
  segment.all_users
    ? "all users"
    : segment.all_sender_channels
      ? "the sender's channels"
      : segment.filter
        ? JSON.stringify(segment.filter)
        : "a list";

export const segmentAsFields = (segment: Segment): View =>
  fieldsView({
    segment: segment.id,
    type: segment.type,
    name: segment.name || undefined,
    description: segment.description || undefined,
    picks: pickOf(segment),
    size: segment.all_sender_channels ? undefined : segment.size,
    created: segment.created_at,
  });
