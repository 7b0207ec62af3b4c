/** The slash commands that every app has. */
import type { CommandInfo } from "./entities/channel.ts";

export const BUILT_IN_COMMANDS: readonly CommandInfo[] = [
  { name: "giphy", description: "Post a random gif to the channel", args: "[text]", set: "fun_set" },
  { name: "ban", description: "Ban a user", args: "[@username] [text]", set: "moderation_set" },
  { name: "unban", description: "Unban a user", args: "[@username]", set: "moderation_set" },
  { name: "mute", description: "Mute a user", args: "[@username]", set: "moderation_set" },
  { name: "unmute", description: "Unmute a user", args: "[@username]", set: "moderation_set" },
  { name: "flag", description: "Flag a user", args: "[@username]", set: "moderation_set" },
];

/** Stands for every command in a list of names. */
export const ALL_COMMANDS = "all";
