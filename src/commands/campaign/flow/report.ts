/** Builds the report of a campaign: the result of each person, and totals that add up to the audience. */
import { isOver, type Campaign } from "../../../wire/entities/campaign.ts";
import { CommandError, type Args, type Call } from "../../base/define-command.ts";
import { campaignNow } from "../receipts/family.ts";
import { reasonCounts, readJournal, type JournalState } from "../receipts/journal.ts";
import type { SendPlan } from "../plan/send-plan.ts";
import { againOf, runState } from "../receipts/own-campaign.ts";
import { missedOf } from "../receipts/missed.ts";
import { receptionOf } from "../receipts/received.ts";
import { standingOf, type Standing } from "../receipts/standing.ts";
import { fetchUsers } from "../audience/people.ts";

interface PersonReport {
  user: string;
  /** `unproved`: may have received it, but the message is gone. */
  result: "sent" | "missed" | "failed" | "waiting" | "unproved" | "left_out";
  reason?: string;
  /** The follow-up that has reached them, or is about to. */
  by?: string;
  /** RFC 3339, if known. */
  at?: string;
}

export interface CampaignReport {
  campaign: string;
  name?: string;
  status: string;
  /** RFC 3339: a run at work waits until then. */
  waiting_until?: string;
  /** When each person may be sent to. */
  plan?: SendPlan;
  mode: "campaign" | "messages";
  /** From the journal on this machine. */
  file?: string;
  started_by?: string;
  guards?: object;
  started_at?: string;
  completed_at?: string;
  /** All records of the source: the sum of the following counts. */
  named: number;
  audience: number;
  sent: number;
  /** Should have been sent but was not. */
  missed: number;
  waiting: number;
  /** The provider has counted them or some of them, but their messages are gone. */
  unproved: number;
  left_out: Record<string, number>;
  /** Receivers who have read it; null if not counted. */
  read: number | null;
  errors: Record<string, number>;
  people: PersonReport[];
  /** The command that sends it to those who are left. */
  again: string;
}

type ReportCall = Omit<Call<Args>, "args">;

function reportOf(
  journal: JournalState,
  people: PersonReport[],
  known: Pick<CampaignReport, "campaign" | "status" | "mode" | "read" | "again"> & Partial<CampaignReport>,
): CampaignReport {
  const { begun } = journal;
  const listed = new Set(people.map(({ user }) => user));
  const excluded = Object.entries(begun?.left ?? {}).flatMap(([reason, ids]) =>
    ids
      .filter((user) => !listed.has(user))
      .map((user): PersonReport => ({ user, result: "left_out", reason })),
  );
  const leftOut = [...people.filter(({ result }) => result === "left_out"), ...excluded];
  const count = (...results: string[]): number =>
    people.filter(({ result }) => results.includes(result)).length;
  const { wrong = 0, duplicates = 0 } = begun?.counts ?? {};
  const notSent = people.filter(({ result }) => result === "missed" || result === "failed");
  return {
    ...(begun
      ? {
          file: begun.file,
          started_by: begun.by,
          guards: begun.guards,
          ...(begun.plan && { plan: begun.plan }),
        }
      : {}),
    ...known,
    named: people.length + excluded.length + wrong + duplicates,
    audience: people.length - (leftOut.length - excluded.length),
    sent: count("sent"),
    missed: count("missed", "failed"),
    waiting: count("waiting"),
    unproved: count("unproved"),
    left_out: reasonCounts(
      leftOut.map(({ reason }) => reason!),
      begun?.counts,
    ),
    errors: reasonCounts(notSent.map(({ reason }) => reason ?? "unknown")),
    people: [...people, ...excluded],
  };
}

async function foundAtProvider(
  call: ReportCall,
  id: string,
  sender: string,
  people: readonly string[],
): Promise<Standing["found"]> {
  const users = await fetchUsers(call, [sender]);
  const standing = await standingOf(call, { id, mode: "messages", sender: users.get(sender), people });
  return standing.isSameProvider ? standing.found : undefined;
}

/**
 * Report of a campaign sent from this machine: from its journal, and for those whom the journal has not reached, from the provider. WH-8: those whom
 * an earlier run had reached when the file was changed, or another machine, count as sent.
 */
async function messagesReport(call: ReportCall, id: string, before: JournalState): Promise<CampaignReport> {
  const { audience, sender, left: excluded } = before.begun!;
  const reached = new Set(excluded.received);
  const left = audience.filter((user) => !before.sent.has(user));
  const found = left.length === 0 ? undefined : await foundAtProvider(call, id, sender, left);
  // A run at work goes on while the provider is asked, which is not asked for those who got it meanwhile.
  const journal = found ? readJournal(call.machine, id) : before;
  const people = [...reached, ...audience].map((user): PersonReport => {
    const [sent, failed] = [journal.sent.get(user) ?? found?.get(user), journal.failed.get(user)];
    if (sent) return { user, result: "sent", at: sent.at };
    if (reached.has(user)) return { user, result: "sent" };
    const left = journal.left.get(user);
    if (left) return { user, result: "left_out", ...left };
    return failed ? { user, result: "failed", ...failed } : { user, result: "waiting" };
  });
  return reportOf(journal, people, {
    campaign: id,
    ...runState(call, id, journal),
    mode: "messages",
    again: againOf(journal),
    started_at: journal.begun!.at,
    ...(journal.ended === undefined ? {} : { completed_at: journal.ended }),
    read: null,
  });
}

/** Results by person, from the campaign and its follow-ups. */
async function peopleOf(call: ReportCall, campaign: Campaign): Promise<PersonReport[]> {
  const reception = await receptionOf(call, campaign.id, campaign);
  const { audiences, received, waiting } = reception;
  const { missed, unproved } = missedOf(campaign, reception);
  const reasons = new Map(missed.map((one) => [one.id, one.reason]));
  const gone = new Set(unproved);
  const byOther = (run: string): { by?: string } => (run === campaign.id ? {} : { by: run });
  return Array.from(audiences.get(campaign.id) ?? [], (user): PersonReport => {
    const receipt = received.get(user);
    if (receipt) return { user, result: "sent", at: receipt.at, ...byOther(receipt.campaign) };
    const run = waiting.get(user);
    if (run !== undefined) return { user, result: "waiting", ...byOther(run) };
    if (gone.has(user)) return { user, result: "unproved", reason: "the message is gone" };
    return isOver(campaign.status)
      ? { user, result: "missed", reason: reasons.get(user)! }
      : { user, result: "waiting" };
  });
}

/** Throws `CommandError` (notFound) for an unknown campaign. */
export async function campaignReport(call: ReportCall, id: string): Promise<CampaignReport> {
  const journal = readJournal(call.machine, id);
  if (journal.begun?.mode === "messages") return messagesReport(call, id, journal);
  const campaign = await campaignNow(call, id);
  if (!campaign) throw new CommandError("notFound", `There is no campaign ${id}.`, "parley campaign list");
  const { stats, name } = campaign;
  const people = await peopleOf(call, campaign);
  const isIncomplete = people.some(({ result }) => result === "missed" || result === "unproved");
  const status = isIncomplete && campaign.status === "completed" ? "incomplete" : campaign.status;
  const isSameCampaign = journal.created === undefined || journal.created === campaign.created_at;
  return reportOf(
    isSameCampaign ? journal : { sent: new Map(), failed: new Map(), left: new Map() },
    people,
    {
      campaign: id,
      ...(name ? { name } : {}),
      status,
      mode: "campaign",
      again: `parley campaign continue ${id}`,
      ...(stats.stats_started_at ? { started_at: stats.stats_started_at } : {}),
      ...(stats.stats_completed_at ? { completed_at: stats.stats_completed_at } : {}),
      read: stats.stats_users_read ?? null,
    },
  );
}

const cell = (text: unknown): string =>
  String(text ?? "")
    .replaceAll("|", "\\|")
    .replace(/\s+/g, " ");

function reportLines(report: CampaignReport): string[] {
  const rows = Object.entries(report).filter(([, value]) => typeof value !== "object" && value !== undefined);
  const lists = (["left_out", "errors"] as const).filter((key) => Object.keys(report[key]).length > 0);
  const notSent = report.people.filter(({ result }) => result !== "sent");
  return [
    `# Campaign ${report.campaign}`,
    "",
    "| | |",
    "| --- | --- |",
    ...rows.map(([key, value]) => `| ${key.replaceAll("_", " ")} | ${cell(value)} |`),
    ...lists.flatMap((key) => [
      "",
      `## ${key === "errors" ? "Errors" : "Left out"}`,
      "",
      ...Object.entries(report[key]).map(([reason, n]) => `- ${n}: ${cell(reason.replaceAll("_", " "))}`),
    ]),
    ...(notSent.length === 0 ? [] : ["", "## Not sent to", ""]),
    ...notSent.map(({ user, result, reason }) => `- ${cell(user)}: ${cell(reason ?? result)}`),
  ];
}

/** The report as a file; CSV contains only the people. */
export async function reportText(report: CampaignReport, form: "csv" | "json" | "md"): Promise<string> {
  if (form === "json") return `${JSON.stringify(report, null, 2)}\n`;
  if (form === "md") return `${reportLines(report).join("\n")}\n`;
  const { stringify } = await import("csv-stringify/sync");
  const columns = ["user", "result", "reason", "at", "by"];
  return stringify(report.people, { header: true, columns, escape_formulas: true });
}
