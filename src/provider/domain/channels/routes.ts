/** Routes of channels, their members and their read state by the name of their endpoint row. */
import { sendEvent } from "./events.ts";
import { deleteChannel, hideChannel, showChannel, truncateChannel } from "./life.ts";
import { queryChannels } from "./list.ts";
import { queryMembers, updateMemberPartial } from "./member-routes.ts";
import { muteChannel, unmuteChannel } from "./mutes.ts";
import { getChannel, queryChannel, queryDistinctChannel } from "./open.ts";
import { markDelivered } from "./delivered.ts";
import { markChannelsRead, markRead, markUnread } from "./reading.ts";
import { getUnread } from "./unread-summary.ts";
import { updateChannel } from "./update.ts";
import { updateChannelPartial } from "./update-partial.ts";

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
