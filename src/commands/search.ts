/** Searches messages: words in one channel or in all of one's own, or messages of somebody, with links or with files. */
import { byCursor } from "./base/cursor.ts";
import type { Message } from "../wire/message.ts";
import type { Filter, Sort } from "../wire/query.ts";
import { CommandError, command, rowView } from "./base/define-command.ts";
import { cidOf } from "./base/place.ts";

const PAGE = 100;

const HAS: Record<string, Filter> = {
  link: { "attachments.og_scrape_url": { $exists: true } },
  image: { "attachments.type": { $in: ["image", "giphy"] } },
  file: { "attachments.type": { $in: ["file", "audio", "video", "voiceRecording"] } },
};
const SORTS: Record<string, Sort | undefined> = {
  best: undefined,
  newest: [{ field: "created_at", direction: -1 }],
  oldest: [{ field: "created_at", direction: 1 }],
};

export default command({
  summary: "Search messages",
  examples: [
    "search tea kettle",
    "search release --channel messaging:ops --since 7d",
    "search --user ana --has file --sort newest",
  ],
  args: {
    words: {
      kind: "words",
      place: "rest",
      optional: true,
      help: "Each of them begins a word of the message",
    },
    channel: { kind: "channel", short: "c", help: "Only in this channel" },
    user: { kind: "user", help: "Only by this user" },
    since: { kind: "time", help: "Only since then" },
    has: { kind: "choice", choices: Object.keys(HAS), help: "Only with a link, an image or a file" },
    sort: { kind: "choice", choices: Object.keys(SORTS), help: "The order; best first without it" },
  },
  async *run(call): AsyncIterable<Message> {
    const { args, core, page } = call;
    const words = args.words?.trim() ?? "";
    const parts: Filter = {
      ...(args.user === undefined ? {} : { "user.id": args.user.replace(/^@/, "") }),
      ...(args.since === undefined ? {} : { created_at: { $gte: args.since } }),
      ...(args.has === undefined ? {} : HAS[args.has]),
    };
    const filtered = Object.keys(parts).length > 0;
    if (words === "" && !filtered)
      throw new CommandError("usage", "Search for what?", "Give words, --user, --since or --has.");
    const channels: Filter =
      args.channel !== undefined
        ? { cid: await cidOf(call, args.channel) }
        : core.userId === undefined
          ? { member_count: { $gte: 0 } }
          : { members: { $in: [core.userId] } };
    const sort = args.sort === undefined ? undefined : SORTS[args.sort];
    const found = core.search({
      filter_conditions: channels,
      ...(filtered && {
        message_filter_conditions: words === "" ? parts : { ...parts, text: { $q: words } },
      }),
      ...(sort && { sort }),
    });
    yield* byCursor(page, PAGE, (at) => found.page(filtered ? "" : words, at));
  },
  show: (message) =>
    rowView(
      {
        channel: message.cid,
        by: message.user.name ?? message.user.id,
        at: message.created_at,
        text: message.text,
        id: message.id,
      },
      { channel: "cid", by: "user.id", at: "created_at" },
    ),
});
