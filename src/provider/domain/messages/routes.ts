/** The handlers of messages and reactions, each under the name of its endpoint. */
export { deleteMessage } from "./rules/delete.ts";
export { queryMessageHistory } from "./rules/history.ts";
export { getOG } from "./rules/link-preview.ts";
export { commitMessage } from "./rules/pending.ts";
export { deleteReaction, getReactions, sendReaction, queryReactions } from "./rules/reactions.ts";
export { getManyMessages, getMessage, getPinnedMessages, getReplies } from "./rules/read.ts";
export { sendMessage } from "../posting/rules/send.ts";
export { translateMessage } from "./rules/translate.ts";
export { undeleteMessage } from "./rules/undelete.ts";
export { updateMessage, updateMessageEphemeral, updateMessagePartial } from "./rules/update.ts";
