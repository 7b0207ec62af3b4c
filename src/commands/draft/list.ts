/** Lists one's drafts that the provider keeps, newest first. */
import { DRAFTS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/cursor.ts";
import { command } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";

export default command({
  summary: "List your drafts, newest first",
  examples: ["draft list", "draft list -c messaging:ops --json=channel_cid,message.text"],
  aliases: ["ls"],
  args: {
    channel: {
      kind: "channel",
      place: "flag",
      short: "c",
      optional: true,
      help: "Only drafts in this channel",
    },
  },
  needs: "api",
  async *run(call) {
    const { args, core } = call;
    const filter = args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) };
    yield* byCursor(call.page, DRAFTS_LIMIT[1], async (at) => {
      const reply = await core.call("queryDrafts", { body: { filter, ...at } });
      return { items: reply.drafts, next: reply.next };
    });
  },
  show: (draft) => ({
    kind: "table",
    columns: ["channel", "thread", "text", "saved"],
    rows: [[draft.channel_cid, draft.parent_id, draft.message.text, draft.created_at]],
  }),
});
