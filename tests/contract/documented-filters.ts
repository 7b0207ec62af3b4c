/** The fields, operators and orders of lists that the service documents (specification/search.md §2). */

export interface DocumentedList {
  /** Field → operators, separated by blanks. */
  filter: Readonly<Record<string, string>>;
  sort: readonly string[];
  /** Any other field is one of the app's own. */
  custom?: true;
}

const RANGE = "$eq $gt $gte $lt $lte";

const CHANNELS: DocumentedList = {
  filter: {
    cid: "$eq $in",
    type: "$eq $in",
    members: "$eq $in",
    "member.user.name": "$eq $autocomplete",
    created_by_id: "$eq $in",
    team: "$eq $in",
    frozen: "$eq",
    disabled: "$eq",
    joined: "$eq",
    invite: "$eq",
    hidden: "$eq",
    muted: "$eq",
    pinned: "$eq",
    archived: "$eq",
    has_unread: "$eq",
    member_count: RANGE,
    created_at: RANGE,
    updated_at: RANGE,
    last_message_at: RANGE,
    name: "$eq $in $autocomplete $q",
    filter_tags: "$eq $in",
  },
  sort: [
    "last_updated",
    "last_message_at",
    "updated_at",
    "created_at",
    "member_count",
    "unread_count",
    "has_unread",
    "pinned_at",
  ],
};

const MESSAGES: DocumentedList = {
  filter: {
    id: `${RANGE} $in`,
    type: `${RANGE} $in`,
    parent_id: `${RANGE} $in`,
    reply_count: `${RANGE} $in`,
    "user.id": `${RANGE} $in`,
    created_at: `${RANGE} $in`,
    updated_at: `${RANGE} $in`,
    text: `${RANGE} $in $q $autocomplete`,
    attachments: "$exists",
    "attachments.type": "$eq $in",
    "mentioned_users.id": "$contains",
    pinned: "$eq",
    campaign_id: "$eq $in",
    campaign_root: "$eq $in",
  },
  sort: ["relevance", "id", "created_at", "updated_at"],
};

const FLAGGED: DocumentedList = {
  filter: {
    id: "$eq",
    user_id: "$eq $in",
    channel_cid: "$eq $in",
    is_reviewed: "$eq",
  },
  sort: ["created_at"],
};

/** Operation or route → its list. */
export const DOCUMENTED: Readonly<Record<string, DocumentedList>> = {
  "POST /channels": CHANNELS,
  "GET /search": CHANNELS,
  "GET /search messages": MESSAGES,
  "GET /users": {
    filter: {
      id: `${RANGE} $in $autocomplete`,
      name: "$eq $in $autocomplete $q",
      role: "$eq $in",
      banned: "$eq",
      shadow_banned: "$eq",
      teams: "$eq $in $contains",
      created_at: RANGE,
      updated_at: RANGE,
      last_active: `${RANGE} $exists`,
    },
    sort: ["id", "created_at", "updated_at", "last_active"],
  },
  "GET /members": {
    filter: {
      id: "$eq $in",
      name: "$eq $in $autocomplete $q",
      channel_role: "$eq",
      banned: "$eq",
      joined: "$eq",
      invite: "$eq",
      created_at: RANGE,
      updated_at: RANGE,
      last_active: RANGE,
    },
    sort: ["user_id", "created_at"],
  },
  "GET /query_banned_users": {
    filter: {
      user_id: "$eq $in",
      banned_by_id: "$eq $in",
      channel_cid: "$eq $in $exists",
      created_at: RANGE,
      reason: "$eq",
    },
    sort: ["created_at"],
  },
  "GET /moderation/flags/message": FLAGGED,
  "POST /moderation/reports": FLAGGED,
  "POST /threads": {
    filter: {
      channel_cid: "$eq $in",
      parent_message_id: "$eq $in",
      created_by_user_id: "$eq $in",
      created_at: RANGE,
      updated_at: RANGE,
      last_message_at: RANGE,
    },
    sort: [
      "active_participant_count",
      "created_at",
      "last_message_at",
      "parent_message_id",
      "participant_count",
      "reply_count",
      "updated_at",
    ],
  },
  "POST /drafts/query": {
    filter: { channel_cid: "$eq $in", parent_id: "$eq $in $exists", created_at: RANGE },
    sort: ["created_at"],
  },
  "POST /reminders/query": {
    filter: {
      message_id: "$eq $in",
      channel_cid: "$eq $in",
      remind_at: RANGE,
      created_at: RANGE,
    },
    sort: ["remind_at", "created_at", "updated_at"],
  },
  "POST /polls/query": {
    filter: {
      id: "$eq $in",
      name: "$eq $in",
      created_by_id: "$eq $in",
      voting_visibility: "$eq",
      is_closed: "$eq",
      allow_answers: "$eq",
      allow_user_suggested_options: "$eq",
      created_at: RANGE,
      updated_at: RANGE,
    },
    sort: ["created_at", "updated_at", "id", "name", "is_closed"],
  },
  "POST /polls/:id/votes": {
    filter: {
      id: "$eq $in",
      user_id: "$eq $in",
      is_answer: "$eq",
      option_id: "$eq $in $exists",
      created_at: RANGE,
    },
    sort: ["created_at", "id", "user_id", "option_id"],
  },
  "POST /messages/:id/reactions": {
    filter: { type: "$eq $in", user_id: "$eq $in", created_at: RANGE },
    sort: ["created_at"],
  },
  "POST /messages/history": {
    filter: {
      message_id: "$eq $in",
      message_updated_at: RANGE,
      message_updated_by_id: "$eq $in",
    },
    sort: ["message_updated_at", "message_updated_by_id"],
  },
  "POST /campaigns/query": {
    filter: { id: "$eq $in", status: "$eq $in", sender_id: "$eq $in" },
    sort: ["created_at", "scheduled_for"],
  },
  "PUT /channels/batch": { filter: { cids: "$eq $in", types: "$eq $in", filter_tags: "$eq $in" }, sort: [] },
};
