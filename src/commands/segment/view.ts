/** Shows a segment. */
import type { Segment } from "../../wire/entities/segment.ts";
import { fieldsView, type View } from "../base/define-command.ts";

/** How its targets are selected. */
export const selectionText = (segment: Segment): string =>
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
    picks: selectionText(segment),
    size: segment.all_sender_channels ? undefined : segment.size,
    created: segment.created_at,
  });
