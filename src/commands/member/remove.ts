/** Removes members from a channel, a hundred a call. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { isUserId } from "../../wire/ids.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

/** Ids with or without a leading `@`. Throws `CommandError` (usage). */
export function userIds(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const id = text.startsWith("@") ? text.slice(1) : text;
    if (!isUserId(id)) throw new CommandError("usage", `'${text}' is not a user id.`);
    return id;
  });
}

export default command({
  summary: "Remove members from a channel",
  examples: ["member remove bo -c messaging:ops"],
  aliases: ["rm"],
  args: {
    users: { kind: "list", place: "positional", help: "The users" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    say: { kind: "text", help: "A system message that says so" },
  },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${args.users.length === 1 ? args.users[0] : `${args.users.length} members`} from ${args.channel}?`,
  }),
  async run(call) {
    const { args, core } = call;
    const users = userIds(args.users);
    const path = pathOf(await cidOf(call, args.channel));
    let channel: object = {};
    for (let i = 0; i < users.length; i += MEMBERS_PER_CALL) {
      const part = users.slice(i, i + MEMBERS_PER_CALL);
      channel = (
        await core.call("updateChannel", {
          path,
          body: {
            remove_members: part,
            ...(args.say !== undefined && i === 0 ? { message: { text: args.say } } : {}),
          },
        })
      ).channel;
      call.progress(i + part.length, users.length, "members");
    }
    return channel;
  },
});
