/** The handlers of channels, their members and their read state, each under the name of its endpoint. */
export { sendEvent } from "./rules/events.ts";
export { deleteChannel, hideChannel, showChannel, truncateChannel } from "./rules/lifecycle.ts";
export { queryChannels } from "./rules/list.ts";
export {
  queryMembers,
  updateMemberPartial,
  updateMemberPartial as updateMemberPartialByQuery,
} from "./rules/member-routes.ts";
export { muteChannel, unmuteChannel } from "./rules/mutes.ts";
export { getChannel, queryChannel, queryDistinctChannel } from "./rules/open.ts";
export { markDelivered } from "../reads/rules/delivered.ts";
export { markChannelsRead, markRead, markUnread } from "../reads/rules/mark-read.ts";
export { getUnread } from "../reads/rules/unread-summary.ts";
export { updateChannel } from "./rules/update.ts";
export { updateChannelPartial } from "./rules/update-partial.ts";
