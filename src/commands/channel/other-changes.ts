/** What else can change with the fields of a channel, in the same line: tags, slow mode, and a message about it. */
import type { Args, ArgValues } from "../base/define-command.ts";

export const OTHER_CHANGES = {
  say: { kind: "text", help: "Post this as a system message about it" },
  addTag: { kind: "list", value: "tag", help: "Add filter tags" },
  removeTag: { kind: "list", value: "tag", help: "Remove filter tags" },
  cooldown: { kind: "number", from: 0, help: "Slow mode in seconds; 0 turns it off" },
} as const satisfies Args;

/** The part of the body; empty without any of the flags. */
export const otherChanges = (args: ArgValues<typeof OTHER_CHANGES>): object => ({
  ...(args.say === undefined ? {} : { message: { text: args.say } }),
  ...(args.addTag.length ? { add_filter_tags: args.addTag } : {}),
  ...(args.removeTag.length ? { remove_filter_tags: args.removeTag } : {}),
  ...(args.cooldown === undefined ? {} : { cooldown: args.cooldown }),
});
