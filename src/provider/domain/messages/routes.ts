/** Routes of messages and reactions by the name of their endpoint row. */
import { deleteMessage } from "./delete.ts";
import { queryMessageHistory } from "./history.ts";
import { getOG } from "./og.ts";
import { commitMessage } from "./pending.ts";
import { queryReactions } from "./query-reactions.ts";
import { deleteReaction, getReactions, sendReaction } from "./reactions.ts";
import { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./read.ts";
import { sendMessage } from "./send.ts";
import { translateMessage } from "./translate.ts";
import { undeleteMessage } from "./undelete.ts";
import { updateMessage, updateMessageEphemeral, updateMessagePartial } from "./update.ts";

export const messageRoutes = {
  sendMessage,
  getManyMessages,
  getPinnedMessages,
  getMessage,
  updateMessage,
  updateMessagePartial,
  updateMessageEphemeral,
  undeleteMessage,
  commitMessage,
  translateMessage,
  queryMessageHistory,
  queryReactions,
  getOG,
  deleteMessage,
  getReplies,
  sendReaction,
  deleteReaction,
  getReactions,
};
