/** Shows and changes push preferences, for all channels or one (specification/users.md §10). */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { CHAT_LEVELS, CHAT_PREFERENCES, type PushPreferences } from "../../wire/entities/user.ts";
import { CommandError, command } from "../base/define-command.ts";
import { readPairs } from "../base/custom-fields.ts";
import { cidOf } from "../base/resolve-channel.ts";

type Levels = BodyOf<"setPushPreferences">["preferences"][number];

export default command({
  summary: "Show or set your push preferences, overall or for one channel",
  changes: "provider",
  examples: [
    "push preferences",
    "push preferences --level mentions",
    "push preferences -c messaging:ops --level none --until 8h",
    "push preferences -c messaging:ops --level default",
  ],
  args: {
    channel: { kind: "channel", short: "c", help: "Set them only for this channel" },
    level: { kind: "choice", choices: CHAT_LEVELS, help: "Which messages are pushed" },
    calls: { kind: "choice", choices: ["all", "none", "default"], help: "Which calls are pushed" },
    until: { kind: "time", direction: "future", help: "Push nothing before this time" },
    resume: { kind: "flag", help: "Resume pushing: cancels --until" },
    set: { kind: "list", value: "name=all|none", help: `A finer switch: ${CHAT_PREFERENCES.join(", ")}` },
  },
  async run(call): Promise<PushPreferences & { channel?: string }> {
    const { args, core } = call;
    const me = core.userId;
    if (me === undefined)
      throw new CommandError("usage", "This needs a user to ask for.", "Add --as <user>.");
    if (args.resume && args.until !== undefined)
      throw new CommandError("usage", "--until and --resume cannot be combined.");
    const cid = args.channel === undefined ? undefined : await cidOf(call, args.channel);
    const chat = readPairs(args.set, "--set") as Record<string, string>;
    const reply = await core.call("setPushPreferences", {
      body: {
        preferences: [
          {
            ...(cid === undefined ? {} : { channel_cid: cid }),
            ...(args.level === undefined ? {} : { chat_level: args.level as Levels["chat_level"] }),
            ...(args.calls === undefined ? {} : { call_level: args.calls as Levels["call_level"] }),
            ...(args.until === undefined ? {} : { disabled_until: args.until }),
            ...(args.resume ? { remove_disable: true } : {}),
            ...(Object.keys(chat).length > 0 ? { chat_preferences: chat } : {}),
          },
        ],
      },
    });
    return cid === undefined
      ? reply.user_preferences[me]!
      : { channel: cid, ...reply.user_channel_preferences[me]?.[cid] };
  },
  show: (push) => ({
    kind: "fields",
    fields: [
      ...(push.channel === undefined ? [] : ([["channel", push.channel]] as [string, string][])),
      ["messages", push.chat_level ?? (push.channel === undefined ? "all" : "as for all channels")],
      ["calls", push.call_level],
      ["not before", push.disabled_until],
      ...Object.entries(push.chat_preferences ?? {}).map(([name, value]): [string, string] => [
        name.replaceAll("_", " "),
        value,
      ]),
    ],
  }),
});
