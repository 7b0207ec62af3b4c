/** `parley local clock`: shows and moves the embedded provider's time. */
import { duration } from "../../../text/times.ts";
import { openResults } from "../../output/results.ts";
import type { OwnRun } from "../kit.ts";

const clock: OwnRun = async (shell, values) => {
  const by = values.by;
  const { now, moved_ms } = (await shell.host.local.control(
    "clock",
    by === undefined ? {} : { advance_ms: by },
  )) as { now: string; moved_ms: number };
  const results = openResults(shell, false);
  await results.item(
    { now, moved_ms },
    {
      kind: "line",
      text: moved_ms > 0 ? `${now}, ${duration(moved_ms)} ahead of this machine` : now,
    },
  );
  await results.end();
  return 0;
};
export default clock;
