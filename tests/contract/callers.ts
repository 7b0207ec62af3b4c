/** Exceptions to the general rules about callers in callers.test.ts, each with its reason. */

/** POST routes that only read: banned and anonymous callers may use them for whatever they may read. */
export const READING_POSTS: readonly string[] = [
  "POST /sync",
  "POST /channels",
  "POST /channels/{type}/{id}/query",
  "POST /channels/{type}/query",
  "POST /channels/{type}/{id}/stop-watching",
  "POST /messages/{id}/reactions",
  "POST /threads",
  "POST /polls/query",
  "POST /polls/{poll_id}/votes",
  "POST /drafts/query",
  "POST /reminders/query",
];

/** Routes open to every role: any signed-in user may call them, and gets only public data or its own. */
export const FOR_EVERYBODY: Record<string, string> = {
  "POST /sync": "what is closed to the caller is left out",
  "GET /app": "the reduced view",
  "POST /guest": "asks for no account at all",
  "POST /users/block": "the own list",
  "POST /users/unblock": "the own list",
  "GET /users/block": "the own list",
  "GET /users/live_locations": "the own locations",
  "POST /devices": "the own devices",
  "GET /devices": "the own devices",
  "DELETE /devices": "the own devices",
  "GET /unread": "the own counters",
  "POST /push_preferences": "the own preferences",
  "POST /channels": "only what the caller reads",
  "POST /channels/{type}/{id}/stop-watching": "ends the watch of an own connection",
  "POST /channels/read": "the own read state",
  "POST /moderation/unmute/channel": "ends an own mute",
  "POST /moderation/unmute": "ends an own mute",
  "POST /threads": "the own threads",
  "POST /uploads/file": "outside channels no role is asked for",
  "POST /uploads/image": "outside channels no role is asked for",
  "GET /og": "asks about the web",
  "POST /drafts/query": "the own drafts",
  "POST /reminders/query": "the own reminders",
  "GET /search": "only what the caller reads",
  "GET /commands": "open to users (specification/admin.md §3)",
};

/** Writes in a channel that do not refuse a read-only user before they look at the body. */
export const FOR_READERS: Record<string, string> = {
  "POST /channels/{type}/{id}": "every key asks for a right of its own",
  "PATCH /channels/{type}/{id}": "every key asks for a right of its own",
  "POST /channels/{type}/{id}/event": "the right depends on the type",
  "PATCH /channels/{type}/{id}/member/{user_id}": "the right depends on what is set",
  "PATCH /channels/{type}/{id}/member": "the own membership, which is not there: 16",
  "PUT /messages/{id}": "pinning asks for another right than the text",
  "PATCH /messages/{id}/ephemeral": "pinning asks for another right than the text",
  "POST /messages/{id}/translate": "reading is enough",
  "PATCH /threads/{message_id}": "the thread is not there: 16",
  "POST /messages/{message_id}/polls/{poll_id}/vote": "the poll is not there: 16",
  "POST /channels/{type}/{id}/draft": "the own draft",
  "POST /messages/{id}/reminders": "the own reminder",
  "PATCH /messages/{id}/reminders": "the own reminder, which is not there: 16",
};

/** Routes of a channel or message that still work in a disabled channel. */
export const THOUGH_DISABLED: Record<string, string> = {
  "POST /channels/{type}/{id}/stop-watching": "ends a watch, whatever became of the channel",
};

/** `route: parameter` where an unknown id in the path does not give code 16. */
export const NAMES_NOTHING: Record<string, string> = {
  "POST /channels/{type}/{id}/query: id": "makes the channel",
  "POST /channels/{type}/{id}/stop-watching: type": "ends a watch, whatever became of the channel",
  "POST /channels/{type}/{id}/stop-watching: id": "ends a watch, whatever became of the channel",
  "POST /messages/{id}/action: id": "code 4 (specification/messages.md §5.1)",
};

/** Routes that take no input, so no request can be wrong. */
export const NO_INPUT: Record<string, string> = {
  "GET /hi": "open, without any parameter",
  "GET /app": "no parameter",
  "GET /channeltypes": "no parameter",
  "GET /commands": "no parameter",
  "GET /permissions": "no parameter",
  "GET /roles": "no parameter",
  "GET /blocklists": "no parameter",
  "GET /push_providers": "no parameter",
};
