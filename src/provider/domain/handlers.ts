/** Every route of the domain by the name of its endpoint row. */
import type { Handlers } from "../handler.ts";
import { deleteChannel, hideChannel, showChannel, truncateChannel } from "./channels/life.ts";
import { sendEvent } from "./channels/events.ts";
import { queryChannels } from "./channels/list.ts";
import { muteChannel, unmuteChannel } from "./channels/mutes.ts";
import { getChannel, queryChannel, queryDistinctChannel } from "./channels/open.ts";
import { updateChannel, updateChannelPartial } from "./channels/update.ts";
import { getLiveLocations, updateLiveLocation } from "./locations/locations.ts";
import { queryMembers, updateMemberPartial } from "./channels/member-routes.ts";
import { deleteMessage } from "./messages/delete.ts";
import { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./messages/read.ts";
import { sendMessage } from "./messages/send.ts";
import { updateMessage, updateMessagePartial } from "./messages/update.ts";
import { castPollVote, createPoll, getPoll, removePollVote, updatePollPartial } from "./polls/polls.ts";
import { deleteReaction, getReactions, sendReaction } from "./messages/reactions.ts";
import { markChannelsRead, markDelivered, markRead, markUnread } from "./channels/reading.ts";
import { getUnread } from "./channels/unread-summary.ts";
import { userHandlers } from "./users/users.ts";

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
