/** Lists segments, the newest first. */
import { QUERY_CAMPAIGNS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/cursor.ts";
import { readFilter } from "../base/filter.ts";
import { command, rowView } from "../base/define-command.ts";
import { pickOf } from "./view.ts";

export default command({
  summary: "List segments",
  examples: ["segment list", 'segment list --filter \'{"type":"user"}\''],
  aliases: ["ls"],
  args: { filter: { kind: "text", value: "json", help: "Filter as JSON" } },
  needs: "secret",
  async *run(call) {
    const filter = call.args.filter === undefined ? {} : readFilter(call.args.filter);
    yield* byCursor(call.page, QUERY_CAMPAIGNS_LIMIT[1], async (at) => {
      const { segments, next } = await call.core.call("querySegments", { body: { filter, ...at } });
      return { items: segments, next };
    });
  },
  show: (segment) =>
    rowView(
      {
        segment: segment.id,
        type: segment.type,
        name: segment.name,
        picks: pickOf(segment),
        size: segment.size,
      },
      { segment: "id" },
    ),
});
