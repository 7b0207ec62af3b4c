/** Reports the result of a campaign per person, as a table or in a file. */
import { CAMPAIGN } from "./args/campaign.ts";
import { CommandError, command } from "../base/define-command.ts";
import type { CampaignReport } from "./flow/report.ts";
import { planWords } from "./plan/read-plan.ts";
import { stateWords } from "./view.ts";
import { writeNew } from "../base/files/write-new.ts";

const FORMS = ["csv", "json", "md"] as const;

/** The format for the extension of a file. */
function formOf(file: string): (typeof FORMS)[number] {
  const form = FORMS.find((ending) => file.toLowerCase().endsWith(`.${ending}`));
  if (form) return form;
  throw new CommandError("usage", `--out ${file} must end with .csv, .json or .md.`);
}

export default command({
  summary: "Report the outcome of a campaign, person by person",
  changes: "nothing",
  examples: [
    "campaign report spring",
    "campaign report spring --out spring.csv",
    "campaign report spring --json=people",
  ],
  args: {
    campaign: CAMPAIGN,
    out: { kind: "file", help: "Write it to this file; the extension chooses: .csv (people), .json or .md" },
  },
  needs: "secret",
  async run(call): Promise<CampaignReport> {
    const { campaign, out } = call.args;
    const form = out === undefined ? undefined : formOf(out);
    const { campaignReport, reportText } = await import("./flow/report.ts");
    const report = await campaignReport(call, campaign);
    if (form !== undefined) await writeNew(out!, await reportText(report, form), call.dry);
    if (form !== undefined && call.dry) call.note?.(`would write ${out}`);
    return report;
  },
  show: (report) => ({
    kind: "fields",
    fields: [
      ["campaign", report.campaign],
      ["status", stateWords(report)],
      ...(report.plan ? [["when", planWords(report.plan)] satisfies [string, string]] : []),
      ["started by", report.started_by],
      ["started", report.started_at],
      ["completed", report.completed_at],
      ["named", report.named],
      ...Object.entries(report.left_out).map(([reason, n]): [string, number] => [
        reason.replaceAll("_", " "),
        n,
      ]),
      ["audience", report.audience],
      ["sent", report.sent],
      ["missed", report.missed],
      ["waiting", report.waiting],
      ["unproved", report.unproved || undefined],
      ["read", report.read ?? undefined],
      ...Object.entries(report.errors).map(([reason, n]): [string, number] => [`error: ${reason}`, n]),
    ],
  }),
  fault: ({ campaign, status, missed, unproved, waiting, audience, again }) => {
    const isStopped = status === "stopped" && waiting > 0;
    if (missed + unproved === 0 && !isStopped) return undefined;
    const left = isStopped
      ? `Campaign ${campaign} was stopped: ${missed + waiting} of ${audience} have not got it`
      : `Campaign ${campaign} did not reach ${missed} of ${audience}`;
    return new CommandError(
      "partial",
      `${left}${unproved > 0 ? `, and of ${unproved} it cannot be proved` : ""}.`,
      `${again} sends it to them`,
    );
  },
});
