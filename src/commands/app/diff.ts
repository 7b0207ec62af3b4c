/** Compares a file of settings with the app: what `app set --file` would change. */
import { isDeepStrictEqual } from "node:util";
import { command, rowView } from "../base/define-command.ts";
import { reportDifferences } from "../base/report-differences.ts";
import { brief, readObject } from "./setting-changes.ts";

export default command({
  summary: "Compare a file of settings with the app",
  changes: "nothing",
  examples: ["app diff settings.json", "parley app get --json | parley app diff -"],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "File with a JSON object of settings; - reads standard input",
    },
  },
  needs: "secret",
  streams: () => "finite",
  async *run(call) {
    const requested = await readObject(call, call.args.file);
    const { app } = await call.core.call("getApp");
    const rows = Object.entries(requested)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([setting, value]) => ({ setting, now: app[setting] ?? null, wanted: value }));
    yield* reportDifferences(rows.filter((row) => !isDeepStrictEqual(row.wanted, row.now)));
  },
  show: (row) => rowView({ setting: row.setting, now: brief(row.now), wanted: brief(row.wanted) }),
});
