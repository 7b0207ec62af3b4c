/** Lists segments, newest first by default. */
import { QUERY_CAMPAIGNS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { readFilter } from "../base/lists/filter.ts";
import { command, rowOf } from "../base/define-command.ts";
import { SORT, sortedBy } from "../base/lists/order.ts";
import { selectionText } from "./view.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List segments",
  changes: "nothing",
  examples: ["segment list --sort name", 'segment list --filter \'{"type":"user"}\''],
  aliases: ["ls"],
  args: { filter: { kind: "text", value: "json", help: "Filter as JSON" }, sort: SORT },
  needs: "secret",
  async *run(call) {
    const { filter: text, sort } = call.args;
    const filter = text === undefined ? {} : readFilter(text);
    yield* byCursor(call.page, QUERY_CAMPAIGNS_LIMIT[1], itemName("segments"), async (pageQuery, once) => {
      const { segments, next } = await call.core.call("querySegments", {
        body: { filter, ...sortedBy(sort), ...pageQuery },
        ...once,
      });
      return { items: segments, next };
    });
  },
  show: (segment) =>
    rowOf(segment, {
      segment: "id",
      type: "type",
      name: "name",
      picks: { cell: selectionText(segment) },
      size: "size",
    }),
});
