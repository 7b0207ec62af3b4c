/** `parley profile diff`: compares the apps of two profiles. */
import { brief } from "../../../commands/app/setting-changes.ts";
import { reportDifferences } from "../../../commands/base/report-differences.ts";
import { rowOf, command, type View } from "../../../commands/base/define-command.ts";
import type { AppDifference } from "../../../commands/app/file/compare-apps.ts";
import type { Profile } from "../../../config/profiles.ts";
import type { Shell } from "../../base/shell.ts";
import { openResults } from "../../output/results.ts";
import { profileOf } from "./profile.ts";

const rowOfDifference = (row: AppDifference): View =>
  rowOf(row, { setting: "setting", one: { cell: brief(row.one) }, other: { cell: brief(row.other) } });

export default command({
  shell: true,
  summary: "Compare the apps of two profiles: settings, types, roles, grants, commands, lists, push",
  examples: ["profile diff staging work", "profile diff staging work --json"],
  allowsDryRun: true,
  args: {
    one: { kind: "text", positional: true, help: "A profile with the app's secret" },
    other: { kind: "text", positional: true, help: "The other one" },
  },
  async run(shell: Shell, args) {
    const profiles = [profileOf(shell, args.one), profileOf(shell, args.other)] as const;
    const { appDifferences, appParts } = await import("../../../commands/app/file/compare-apps.ts");
    const partsOf = async ({ name }: Profile): ReturnType<typeof appParts> => {
      const opened = await shell.host.open({ profile: name, server: true, inMemory: true });
      try {
        return await appParts(opened.core);
      } finally {
        await opened.close();
      }
    };
    const [one, other] = [await partsOf(profiles[0]), await partsOf(profiles[1])];
    const results = openResults(shell, true, true);
    try {
      for await (const row of reportDifferences(appDifferences(one, other)))
        await results.item(row, rowOfDifference(row));
    } finally {
      await results.end(() => rowOfDifference({ setting: "", one: undefined, other: undefined }));
    }
    return 0;
  },
});
