/** Routes of messages and reactions by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";
import { deleteMessage } from "./delete.ts";
import { deleteReaction, getReactions, sendReaction } from "./reactions.ts";
import { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./read.ts";
import { sendMessage } from "./send.ts";
import { updateMessage, updateMessagePartial } from "./update.ts";

export const messageRoutes: Handlers = {
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
};
