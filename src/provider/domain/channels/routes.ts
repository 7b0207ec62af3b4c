/** Routes of channels, their members and their read state by the name of their endpoint row. */
import { sendEvent } from "./rules/events.ts";
import { deleteChannel, hideChannel, showChannel, truncateChannel } from "./rules/life.ts";
import { queryChannels } from "./rules/list.ts";
import { queryMembers, updateMemberPartial } from "./rules/member-routes.ts";
import { muteChannel, unmuteChannel } from "./rules/mutes.ts";
import { getChannel, queryChannel, queryDistinctChannel } from "./rules/open.ts";
import { markDelivered } from "../reads/rules/delivered.ts";
import { markChannelsRead, markRead, markUnread } from "../reads/rules/reading.ts";
import { getUnread } from "../reads/rules/unread-summary.ts";
import { updateChannel } from "./rules/update.ts";
import { updateChannelPartial } from "./rules/update-partial.ts";

export const channelRoutes = {
  queryChannels,
  queryChannel,
  queryDistinctChannel,
  getChannel,
  updateChannel,
  updateChannelPartial,
  deleteChannel,
  truncateChannel,
  hideChannel,
  showChannel,
  markRead,
  markUnread,
  markChannelsRead,
  markDelivered,
  getUnread,
  sendEvent,
  updateMemberPartial,
  updateMemberPartialByQuery: updateMemberPartial,
  queryMembers,
  muteChannel,
  unmuteChannel,
};
