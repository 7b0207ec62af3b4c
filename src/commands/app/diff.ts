/** Compares a file of settings with the app: what `app set --file` would change. */
import { isDeepStrictEqual } from "node:util";
import { command, rowView } from "../base/define-command.ts";
import { reportDifferences } from "../base/report-differences.ts";
import type { Change } from "./file/changes.ts";
import { readObjectFile } from "../base/json.ts";
import { brief } from "./setting-changes.ts";

interface Difference {
  setting: string;
  now: unknown;
  wanted: unknown;
}

/** Whether a file is one that `app backup` writes. */
const isAppFile = (content: Record<string, unknown>): boolean =>
  ["settings", "channel_types", "roles"].some((section) => section in content);

const rowOfChange = ({ kind, name, field, now, wanted }: Change): Difference => ({
  setting: [kind === "setting" ? "" : `${kind} ${name}`, field ?? ""].filter(Boolean).join(" "),
  now: now ?? null,
  wanted: wanted ?? null,
});

export default command({
  summary: "Compare a file of settings, or what app backup writes, with the app",
  changes: "nothing",
  examples: ["app diff settings.json", "app diff app.yaml", "parley app get --json | parley app diff -"],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "File with settings (JSON or YAML), or an app file; - reads standard input",
    },
  },
  needs: "secret",
  streams: () => "finite",
  async *run(call): AsyncIterable<Difference> {
    const file = (await call.localFile?.(call.args.file)) ?? call.args.file;
    const requested = await readObjectFile(call, file);
    if (isAppFile(requested)) {
      const { stepsOf } = await import("./file/steps.ts");
      const steps = await stepsOf(call, file, {});
      return yield* reportDifferences(steps.flatMap(({ changes }) => changes).map(rowOfChange));
    }
    const { app } = await call.core.call("getApp");
    const rows = Object.entries(requested)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([setting, value]) => ({ setting, now: app[setting] ?? null, wanted: value }));
    yield* reportDifferences(rows.filter((row) => !isDeepStrictEqual(row.wanted, row.now)));
  },
  show: (row) => rowView({ setting: row.setting, now: brief(row.now), wanted: brief(row.wanted) }),
});
