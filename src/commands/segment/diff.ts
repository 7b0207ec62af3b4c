/** Compares the targets of a segment with a file or a filter: what `segment sync` would change. */
import { reportDifferences } from "../base/report-differences.ts";
import { command, rowView } from "../base/define-command.ts";
import { TARGET_SOURCE_ARGS, readTargetUsers } from "./target-users.ts";

export default command({
  summary: "Compare a segment with a file or a filter",
  changes: "nothing",
  examples: ["segment diff testers people.csv", `segment diff testers --filter '{"role":"user"}'`],
  args: TARGET_SOURCE_ARGS,
  needs: "secret",
  streams: () => "finite",
  async *run(call) {
    const { differenceOf } = await import("../campaign/audience/sync.ts");
    const { idsOfTargets } = await import("../campaign/audience/people.ts");
    const { ids, unknown } = await readTargetUsers(call);
    const { add, remove } = differenceOf(await idsOfTargets(call, call.args.segment), ids);
    const rows = (change: string, targets: readonly string[]) =>
      targets.map((target) => ({ change, target }));
    yield* reportDifferences([...rows("add", add), ...rows("remove", remove), ...rows("unknown", unknown)]);
  },
  show: ({ change, target }) => rowView({ change, target }),
});
