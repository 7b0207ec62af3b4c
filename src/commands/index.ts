/** Every operation by its path, and the single words that stand for one in the chat line; importing this costs nothing. */
import channelCreate from "./channel/create.ts";
import channelGet from "./channel/get.ts";
import channelHide from "./channel/hide.ts";
import channelJoin from "./channel/join.ts";
import channelLeave from "./channel/leave.ts";
import channelList from "./channel/list.ts";
import channelMute from "./channel/mute.ts";
import channelRead from "./channel/read.ts";
import channelShow from "./channel/show.ts";
import channelUnmute from "./channel/unmute.ts";
import channelUnread from "./channel/unread.ts";
import type { Command } from "./kit.ts";
import memberAdd from "./member/add.ts";
import memberList from "./member/list.ts";
import memberRemove from "./member/remove.ts";
import messageDelete from "./message/delete.ts";
import messageEdit from "./message/edit.ts";
import messageGet from "./message/get.ts";
import messageList from "./message/list.ts";
import messagePin from "./message/pin.ts";
import messageReact from "./message/react.ts";
import messageReplies from "./message/replies.ts";
import messageSend from "./message/send.ts";
import messageUnpin from "./message/unpin.ts";
import messageUnreact from "./message/unreact.ts";
import upload from "./upload.ts";
import userGet from "./user/get.ts";
import userList from "./user/list.ts";

const all = {
  "message send": messageSend,
  "message list": messageList,
  "message get": messageGet,
  "message edit": messageEdit,
  "message delete": messageDelete,
  "message react": messageReact,
  "message unreact": messageUnreact,
  "message replies": messageReplies,
  "message pin": messagePin,
  "message unpin": messageUnpin,
  "channel list": channelList,
  "channel get": channelGet,
  "channel create": channelCreate,
  "channel join": channelJoin,
  "channel leave": channelLeave,
  "channel hide": channelHide,
  "channel show": channelShow,
  "channel read": channelRead,
  "channel unread": channelUnread,
  "channel mute": channelMute,
  "channel unmute": channelUnmute,
  "member list": memberList,
  "member add": memberAdd,
  "member remove": memberRemove,
  "user list": userList,
  "user get": userGet,
  upload,
};

/** A path such as `channel mute` → its definition; argument types are erased here and checked by `fillArgs`. */
export const commands: Readonly<Record<string, Command>> = all as unknown as Record<string, Command>;

/** Plural and short nouns of the shell and the chat line. */
export const NOUNS: Readonly<Record<string, string>> = {
  messages: "message",
  msg: "message",
  channels: "channel",
  members: "member",
  users: "user",
};

/** One sentence per noun, for help. */
export const NOUN_WORDS: Readonly<Record<string, string>> = {
  message: "Read and write messages",
  channel: "Find, make and tend channels",
  member: "See and change who is in a channel",
  user: "Find people",
};

/** Single words of the chat line (`/edit`); a provider's own command with the same name wins there (decisions 7). */
export const ALIASES: Readonly<Record<string, string>> = {
  edit: "message edit",
  delete: "message delete",
  react: "message react",
  unreact: "message unreact",
  pin: "message pin",
  unpin: "message unpin",
  replies: "message replies",
  channels: "channel list",
  create: "channel create",
  join: "channel join",
  leave: "channel leave",
  hide: "channel hide",
  show: "channel show",
  read: "channel read",
  unread: "channel unread",
  members: "member list",
  invite: "member add",
  remove: "member remove",
  users: "user list",
  whois: "user get",
};

/** Commands that providers ship; no single word of ours may be one of them. */
export const PROVIDER_COMMANDS = [
  "giphy",
  "ban",
  "unban",
  "mute",
  "unmute",
  "flag",
  "unflag",
  "all",
  "fun_set",
  "moderation_set",
] as const;
