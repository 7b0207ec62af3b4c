/** All entities by name, for the references between them. */
import { optional, type Field, type LazyShape, type Shape } from "./fields.ts";
import * as app from "./app.ts";
import * as attachment from "./attachment.ts";
import * as blocklist from "./blocklist.ts";
import * as campaign from "./campaign.ts";
import * as channelType from "./channel-type.ts";
import * as channel from "./channel.ts";
import * as draft from "./draft.ts";
import * as imports from "./import.ts";
import * as location from "./location.ts";
import * as message from "./message.ts";
import * as moderation from "./moderation.ts";
import * as poll from "./poll.ts";
import * as pushProvider from "./push-provider.ts";
import * as reminder from "./reminder.ts";
import * as role from "./role.ts";
import * as segment from "./segment.ts";
import * as task from "./task.ts";
import * as thread from "./thread.ts";
import * as user from "./user.ts";

export interface EntityTypes {
  AppSettings: app.AppSettings;
  Attachment: attachment.Attachment;
  AttachmentAction: attachment.AttachmentAction;
  Ban: moderation.Ban;
  Blocklist: blocklist.Blocklist;
  Campaign: campaign.Campaign;
  Channel: channel.Channel;
  CampaignStats: campaign.CampaignStats;
  ChannelConfig: channel.ChannelConfig;
  ChannelMute: user.ChannelMute;
  ChannelResult: task.ChannelResult;
  ChannelState: channel.ChannelState;
  ChannelTemplate: campaign.ChannelTemplate;
  ChannelType: channelType.ChannelType;
  CheckPushReply: pushProvider.CheckPushReply;
  CommandInfo: channel.CommandInfo;
  Device: user.Device;
  Draft: draft.Draft;
  DraftMessage: draft.DraftMessage;
  EventHook: app.EventHook;
  Flag: moderation.Flag;
  FlagReport: moderation.FlagReport;
  FutureChannelBan: moderation.FutureChannelBan;
  ImportError: imports.ImportError;
  ImportResult: imports.ImportResult;
  ImportTask: imports.ImportTask;
  Member: channel.Member;
  Message: message.Message;
  MessageFlag: moderation.MessageFlag;
  MessageHistoryEntry: message.MessageHistoryEntry;
  MessageTemplate: campaign.MessageTemplate;
  Mute: user.Mute;
  NamedChannelType: channelType.NamedChannelType;
  OwnUser: user.OwnUser;
  PendingMessage: message.PendingMessage;
  Permission: role.Permission;
  Poll: poll.Poll;
  PollOption: poll.PollOption;
  PollVote: poll.PollVote;
  PrivacySettings: user.PrivacySettings;
  PushNotifications: app.PushNotifications;
  PushPreferences: user.PushPreferences;
  PushProvider: pushProvider.PushProvider;
  PushTemplate: pushProvider.PushTemplate;
  QueueCheck: pushProvider.QueueCheck;
  Reaction: message.Reaction;
  ReactionGroup: message.ReactionGroup;
  Read: channel.Read;
  Reminder: reminder.Reminder;
  Role: role.Role;
  Segment: segment.Segment;
  SegmentTarget: segment.SegmentTarget;
  SharedLocation: location.SharedLocation;
  Task: task.Task;
  TaskError: task.TaskError;
  Thread: thread.Thread;
  ThreadParticipant: thread.ThreadParticipant;
  Unused: imports.Unused;
  UploadConfig: attachment.UploadConfig;
  UploadSize: attachment.UploadSize;
  UploadedFile: attachment.UploadedFile;
  User: user.User;
  UserBlock: user.UserBlock;
}

const entities: Readonly<Record<keyof EntityTypes, LazyShape>> = {
  ...app,
  ...attachment,
  ...blocklist,
  ...campaign,
  ...channelType,
  ...channel,
  ...draft,
  ...imports,
  ...location,
  ...message,
  ...moderation,
  ...poll,
  ...pushProvider,
  ...reminder,
  ...role,
  ...segment,
  ...task,
  ...thread,
  ...user,
};

const combined = new WeakMap<Field, Shape>();

/** The rows of an object, also if the field only names its entity. */
export function shapeOf(field: Field): Shape | undefined {
  if (!field.entity) return field.shape;
  const named = entities[field.entity]();
  if (!field.shape) return named;
  let shape = combined.get(field);
  if (!shape) combined.set(field, (shape = { ...(field.partial ? optional(named) : named), ...field.shape }));
  return shape;
}
