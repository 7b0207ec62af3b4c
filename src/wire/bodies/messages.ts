/** Bodies of messages, their history and reactions. */
import type { Attachment } from "../entities/attachment.ts";
import {
  ATTACHMENTS_LIMIT,
  CUSTOM_DATA_LIMIT,
  HISTORY_LIMIT,
  MENTIONS_LIMIT,
  QUERY_REACTIONS_LIMIT,
  REACTIONS_LIMIT,
} from "../constants.ts";
import {
  any,
  choice,
  custom,
  filter,
  flag,
  id,
  limit,
  list,
  map,
  need,
  number,
  object,
  offset,
  sentBack,
  orId,
  orNull,
  sort,
  text,
  time,
  whole,
  withProblem,
  type Field,
  type Infer,
} from "../entities/fields.ts";
import { SharedLocation } from "../entities/location.ts";
import { Message, Reaction } from "../entities/message.ts";
import { anchors } from "../entities/query.ts";
import { acting, listing, partial } from "./frame.ts";

/** Keys that the author writes and may change. */
export const authored = {
  text: text(Infinity),
  attachments: list(any<Attachment>("Attachment"), ATTACHMENTS_LIMIT),
  mentioned_users: list(orId(withProblem(object({ id: id() }), "must be a user id")), MENTIONS_LIMIT),
  mentioned_channel: flag(),
  mentioned_here: flag(),
  quoted_message_id: id(),
  poll_id: id(),
};
/** Keys for servers only; from others they are ignored without a check. */
export const sources = { html: text(20_000), mml: text(20_000) };

/** The content of a message, with custom keys. */
const content = {
  ...acting,
  ...authored,
  silent: flag(),
  ...sources,
  show_in_channel: flag(),
  parent_id: id(),
};

const sharedLocation = sentBack(
  { latitude: number(), longitude: number(), end_at: time(), created_by_device_id: id() },
  SharedLocation,
);

export const message = sentBack(
  {
    id: id(1000),
    type: choice("regular", "system"),
    ...content,
    pinned: flag(),
    pin_expires: time(),
    restricted_visibility: list(text(), 100),
    shared_location: object(sharedLocation),
    "*": custom(CUSTOM_DATA_LIMIT),
  },
  Message,
);

/** An edit cannot change the channel, the type or the references of a message. */
const editedMessage = sentBack(
  { ...content, pinned: flag(), pin_expires: orNull(time()), "*": custom(CUSTOM_DATA_LIMIT) },
  Message,
);

/** The keys that a partial update may name; the last two are for servers only. */
export const settableContent = { ...authored, pinned: flag(), pin_expires: time(), ...sources };

/** What only a message has is a custom field in a draft. */
const {
  pinned: _pinned,
  pin_expires: _expires,
  restricted_visibility: _visibility,
  shared_location: _location,
  ...drafted
} = message;
export const draftMessage = drafted;

/** A message as this program sends it: ids for mentions, null for a pin without end. Custom keys are allowed. */
export interface MessageInput extends Infer<
  Omit<typeof message, "*" | "mentioned_users" | "pin_expires" | "shared_location">
> {
  mentioned_users?: string[];
  pin_expires?: string | null;
  shared_location?: SharedLocation;
}

export const asMessage = (shape: typeof message | typeof editedMessage): Field<MessageInput> =>
  object(shape) as unknown as Field<MessageInput>;

export const switches = { skip_push: flag(), skip_enrich_url: flag(), force_moderation: flag() };

export const messageBodies = {
  sendMessage: {
    ...acting,
    message: need(asMessage(message)),
    ...switches,
    keep_channel_hidden: flag(),
    pending: flag(),
    pending_message_metadata: map(text()),
    include_channel_context: flag(),
    include_mentioned_members: flag(),
  },
  getPinnedMessages: {
    ...acting,
    limit: limit(REACTIONS_LIMIT),
    offset: offset(1000),
    sort: sort(),
    ...anchors,
  },
  updateMessage: { ...acting, message: need(asMessage(editedMessage)), ...switches },
  updateMessagePartial: { ...partial(settableContent), ...switches },
  updateMessageEphemeral: { ...partial(settableContent), ...switches },
  undeleteMessage: { ...acting, undeleted_by: need(id()) },
  commitMessage: acting,
  translateMessage: { ...acting, language: need(text(20)) },
  queryMessageHistory: { ...listing(HISTORY_LIMIT), filter: need(filter()) },
  sendReaction: {
    ...acting,
    reaction: need(
      object(
        sentBack(
          {
            ...acting,
            type: need(text(255)),
            score: whole(1, 1_000_000),
            emoji_code: text(255),
            "*": custom(1024),
          },
          Reaction,
        ),
      ),
    ),
    enforce_unique: flag(),
    skip_push: flag(),
  },
  queryReactions: listing(QUERY_REACTIONS_LIMIT),
};
