/** Routes of messages and reactions by the name of their endpoint row. */
import { deleteMessage } from "./rules/delete.ts";
import { queryMessageHistory } from "./rules/history.ts";
import { getOG } from "./rules/og.ts";
import { commitMessage } from "./rules/pending.ts";
import { queryReactions } from "./rules/query-reactions.ts";
import { deleteReaction, getReactions, sendReaction } from "./rules/reactions.ts";
import { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./rules/read.ts";
import { sendMessage } from "../posting/rules/send.ts";
import { translateMessage } from "./rules/translate.ts";
import { undeleteMessage } from "./rules/undelete.ts";
import { updateMessage, updateMessageEphemeral, updateMessagePartial } from "./rules/update.ts";

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
