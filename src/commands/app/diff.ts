/** Compares a file of settings with the app: what `app update --file` would change. */
import { isDeepStrictEqual } from "node:util";
import { command, rowView } from "../base/define-command.ts";
import { brief, readObject } from "./input.ts";

export default command({
  summary: "Compare a file of settings with the app",
  examples: ["app diff settings.json", "parley app get --json | parley app diff -"],
  args: {
    file: { kind: "file", place: "positional", help: "A JSON object of settings; - reads standard input" },
  },
  needs: "secret",
  async *run(call) {
    const wanted = await readObject(call, call.args.file);
    const { app } = await call.core.call("getApp");
    for (const [setting, value] of Object.entries(wanted).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      if (!isDeepStrictEqual(value, app[setting] ?? null))
        yield { setting, now: app[setting] ?? null, wanted: value };
  },
  show: (row) => rowView({ setting: row.setting, now: brief(row.now), wanted: brief(row.wanted) }),
});
