/** Every route of the domain by the name of its endpoint row. */
import type { Handlers } from "../handler.ts";
import { deleteChannel, hideChannel, showChannel, truncateChannel } from "./channel-life.ts";
import { sendEvent } from "./channel-events.ts";
import { queryChannels } from "./channel-list.ts";
import { muteChannel, unmuteChannel } from "./channel-mutes.ts";
import { getChannel, queryChannel, queryDistinctChannel } from "./channel-open.ts";
import { updateChannel, updateChannelPartial } from "./channel-update.ts";
import { getLiveLocations, updateLiveLocation } from "./locations.ts";
import { queryMembers, updateMemberPartial } from "./member-routes.ts";
import { deleteMessage } from "./message-delete.ts";
import { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./message-routes.ts";
import { sendMessage } from "./message-send.ts";
import { updateMessage, updateMessagePartial } from "./message-update.ts";
import { castPollVote, createPoll, getPoll, removePollVote, updatePollPartial } from "./polls.ts";
import { deleteReaction, getReactions, sendReaction } from "./reactions.ts";
import { markChannelsRead, markDelivered, markRead, markUnread } from "./reading.ts";
import { getUnread } from "./unread-summary.ts";
import { userHandlers } from "./users.ts";

export const handlers: Handlers = {
  ...userHandlers,
  getUnread,
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
  sendEvent,
  updateMemberPartial,
  queryMembers,
  muteChannel,
  unmuteChannel,
  sendMessage,
  getManyMessages,
  getPinnedMessages,
  getMessage,
  updateMessage,
  updateMessagePartial,
  deleteMessage,
  getReplies,
  sendReaction,
  deleteReaction,
  getReactions,
  createPoll,
  getPoll,
  updatePollPartial,
  castPollVote,
  removePollVote,
  getLiveLocations,
  updateLiveLocation,
};
