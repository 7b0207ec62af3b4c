/** Sends a campaign person by person from this machine; the journal records each message, so that a killed run can resume. */
import { CommandError } from "../../base/define-command.ts";
import { Outcomes, reasonText } from "../../base/bulk/outcomes.ts";
import type { Person } from "../audience/exclusions.ts";
import type { CampaignFile } from "../file/read.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";
import { planOne, sendOne, type CampaignSending } from "./send-one.ts";
import { Throttle } from "./throttle.ts";
import {
  checkAndConfirm,
  beginJournal,
  withJournal,
  type StartCall,
  type StartOptions,
} from "./start-file.ts";
import type { Journal } from "../receipts/journal.ts";

interface MessageOptions extends StartOptions {
  /** Messages sent in parallel. */
  concurrency: number;
  maxErrors: number;
}

export interface MessagesSent {
  campaign: string;
  mode: "messages";
  /** Number of receivers in this run. */
  receivers: number;
  sent: number;
  failed: { user: string; reason: string }[];
  /** Receivers not tried because too many others had failed. */
  waiting: number;
  seconds: number;
}

class MessageRun {
  readonly #sending: CampaignSending;
  readonly #journal: Journal;
  readonly #maxErrors: number;
  readonly #outcomes = new Outcomes();
  readonly failed: MessagesSent["failed"] = [];
  sent = 0;

  constructor(sending: CampaignSending, journal: Journal, maxErrors: number) {
    this.#sending = sending;
    this.#journal = journal;
    this.#maxErrors = maxErrors;
  }

  get #hasTooManyErrors(): boolean {
    return this.failed.length >= this.#maxErrors;
  }

  /** Records a refusal of this person; throws errors that concern all. */
  async #sendTo(person: Person): Promise<void> {
    try {
      const { message, cid } = await sendOne(this.#sending, person);
      this.#journal.write({ kind: "sent", user: person.id, message, cid });
      this.sent++;
    } catch (error) {
      this.#outcomes.failed([person.id], error);
      const reason = reasonText(error);
      this.#journal.write({ kind: "failed", user: person.id, reason });
      this.failed.push({ user: person.id, reason });
    }
  }

  async all(people: readonly Person[], concurrency: number): Promise<void> {
    const { call } = this.#sending;
    const remaining = people.values();
    let fatal: unknown;
    const work = async (): Promise<void> => {
      for (const person of remaining) {
        if (fatal !== undefined || this.#hasTooManyErrors) return;
        await this.#sendTo(person).catch((error: unknown) => (fatal ??= error));
        call.progress(this.sent + this.failed.length, people.length, "messages");
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (fatal !== undefined) throw fatal;
  }
}

/** The dry run: plans the requests of each person and ends with the plan; returns who would be refused, if anybody. */
async function plan(
  sending: CampaignSending,
  people: readonly Person[],
  maxErrors: number,
): Promise<MessagesSent["failed"]> {
  const outcomes = new Outcomes();
  const steps = new PlannedSteps(true);
  const failed: MessagesSent["failed"] = [];
  for (const [n, person] of people.entries()) {
    if (failed.length >= maxErrors) break;
    sending.call.signal.throwIfAborted();
    await planOne(steps, sending, person).catch((error: unknown) => {
      outcomes.failed([person.id], error);
      failed.push({ user: person.id, reason: reasonText(error) });
    });
    sending.call.progress(n + 1, people.length, "messages");
  }
  if (failed.length === 0) steps.end();
  return failed;
}

export async function sendMessages(
  call: StartCall,
  file: CampaignFile,
  options: MessageOptions,
): Promise<MessagesSent> {
  call.machine?.announceLongRun();
  const id = file.fields.id!;
  return withJournal(call, id, async (journal) => {
    const inspection = await checkAndConfirm(call, file, options);
    if (inspection.kind === "channel")
      throw new CommandError("rejected", "Channels have no columns: --mode messages is for people.");
    const throttle = new Throttle(options.rate ?? 10);
    const sending = { call, fields: { ...file.fields, id }, sender: inspection.sender!, throttle };
    const sent = { campaign: id, mode: "messages", receivers: inspection.receivers.length } as const;
    if (!journal) {
      const failed = await plan({ ...sending, salt: undefined }, inspection.receivers, options.maxErrors);
      return { ...sent, sent: 0, failed, waiting: 0, seconds: 0 };
    }
    beginJournal(journal, file, inspection, options, call.random());
    for (const [user, { message, cid }] of inspection.standing?.found ?? [])
      journal.write({ kind: "sent", user, message, cid });
    const { salt } = journal.progress.begun!;
    const since = call.now();
    const run = new MessageRun({ ...sending, salt }, journal, options.maxErrors);
    await run.all(inspection.receivers, options.concurrency);
    const waiting = inspection.receivers.length - run.sent - run.failed.length;
    if (waiting === 0 && run.failed.length === 0) journal.write({ kind: "ended" }, true);
    const seconds = Math.round((call.now() - since) / 100) / 10;
    return { ...sent, sent: run.sent, failed: run.failed, waiting, seconds };
  });
}
