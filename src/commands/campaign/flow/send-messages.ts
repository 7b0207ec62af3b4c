/** Sends a campaign person by person from this machine; the journal records each message, so that a killed run can resume. */
import { CommandError } from "../../base/define-command.ts";
import { Outcomes, reasonText } from "../../base/bulk/outcomes.ts";
import type { Person } from "../audience/exclusions.ts";
import type { CampaignFile } from "../file/read.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";
import { withHint } from "../../../model/errors.ts";
import { momentIn } from "../file/moment.ts";
import { planLines } from "../plan/slots.ts";
import { CampaignQueue } from "./campaign-queue.ts";
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
  /** Who was deactivated, or has opted out, since the check. */
  left_out: { user: string; reason: string }[];
  /** Receivers not tried because too many others had failed. */
  waiting: number;
  seconds: number;
}

class MessageRun {
  readonly #sending: CampaignSending;
  readonly #journal: Journal;
  readonly #maxErrors: number;
  readonly #outcomes = new Outcomes();
  readonly #queue: CampaignQueue;
  readonly #receivers: number;
  readonly failed: MessagesSent["failed"] = [];
  readonly left: MessagesSent["left_out"] = [];
  sent = 0;

  constructor(
    sending: CampaignSending,
    journal: Journal,
    { people, maxErrors }: { people: readonly Person[]; maxErrors: number },
  ) {
    this.#sending = sending;
    this.#journal = journal;
    this.#maxErrors = maxErrors;
    this.#receivers = people.length;
    const { plan, audience, since, at } = journal.progress.begun!;
    const { last } = journal.progress;
    const queued = {
      plan,
      people,
      sender: sending.sender.id,
      since: Date.parse(since ?? at),
      last: last === undefined ? undefined : Date.parse(last),
      all: audience.length,
    };
    this.#queue = new CampaignQueue(sending.call, queued, {
      waits: (until, zone) => this.#waits(until, zone ?? plan?.hours?.zone),
      leaves: ({ id: user }, reason) => {
        this.#journal.write({ kind: "left", user, reason });
        this.left.push({ user, reason });
      },
    });
  }

  get waiting(): number {
    return this.#receivers - this.sent - this.failed.length - this.left.length;
  }

  #waits(until: number, zone: string | undefined): void {
    const { call } = this.#sending;
    const time = new Date(until).toISOString();
    this.#journal.write({ kind: "waiting", until: time }, true);
    const words = `waiting until ${momentIn(time, zone)}`;
    call.progress(this.#receivers - this.waiting, this.#receivers, words);
    if (until - call.now() >= NOTED_WAIT) call.note?.(words);
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

  async #work(): Promise<void> {
    for (;;) {
      const person = await this.#queue.take();
      if (person === undefined) return;
      await this.#sendTo(person);
      this.#sending.call.progress(this.#receivers - this.waiting, this.#receivers, "messages");
      if (this.failed.length >= this.#maxErrors) this.#queue.end();
    }
  }

  /** Throws the first error that concerns all, once what was begun has ended. */
  async all(concurrency: number): Promise<void> {
    let fatal: unknown;
    const work = (): Promise<void> =>
      this.#work().catch((error: unknown) => {
        fatal ??= error;
        this.#queue.end();
      });
    await Promise.all(Array.from({ length: concurrency }, work));
    if (fatal !== undefined) throw fatal;
  }
}

/** Waits of at least this many milliseconds are told on standard error. */
const NOTED_WAIT = 60_000;

/** The dry run: plans the requests of each person and ends with the plan; returns who would be refused, if anybody. */
async function planAll(
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

/** A provider that has gone: the command goes on later. */
function withNext(error: unknown, again: string): unknown {
  return (error as Error).name === "TransportError"
    ? withHint(error, `${again} goes on with those who are left`)
    : error;
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
    const { receivers, sender, plan, standing } = inspection;
    const throttle = new Throttle(options.rate ?? 10);
    const sending = { call, fields: { ...file.fields, id }, sender: sender!, throttle };
    const sent = { campaign: id, mode: "messages", receivers: receivers.length } as const;
    if (!journal) {
      const now = call.now();
      const planned = { now, since: now, all: receivers.length, ...inspection.run };
      if (plan) for (const line of planLines(plan, receivers, planned)) call.note?.(line);
      const failed = await planAll({ ...sending, salt: undefined }, receivers, options.maxErrors);
      return { ...sent, sent: 0, failed, left_out: [], waiting: 0, seconds: 0 };
    }
    beginJournal(journal, file, inspection, options, call.random());
    for (const [user, { message, cid }] of standing?.found ?? [])
      journal.write({ kind: "sent", user, message, cid });
    const { salt } = journal.progress.begun!;
    const began = call.now();
    const run = new MessageRun({ ...sending, salt }, journal, {
      people: receivers,
      maxErrors: options.maxErrors,
    });
    await run.all(options.concurrency).catch((error: unknown) => {
      throw withNext(error, options.lines.again);
    });
    const { waiting, failed, left } = run;
    if (waiting === 0 && failed.length === 0) journal.write({ kind: "ended" }, true);
    const seconds = Math.round((call.now() - began) / 100) / 10;
    return { ...sent, sent: run.sent, failed, left_out: left, waiting, seconds };
  });
}
