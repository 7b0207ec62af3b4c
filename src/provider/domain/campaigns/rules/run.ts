/** Runs campaigns: recipients, batches of fifty, and the end (specification/campaigns.md §9). */
import { CAMPAIGN_BATCH } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { attemptPart } from "../../query/attempt.ts";
import { serve } from "./serve.ts";
import { campaignView } from "../view/campaigns.ts";
import {
  campaignRow,
  type CampaignRow,
  markStarted,
  markTurned,
  markStopped,
  markCompleted,
  firstCampaignDue,
} from "../storage/campaigns.ts";
import { freezeTargets, waitingTargets, markServed, type CampaignTarget } from "../storage/targets.ts";

type Running = Pick<RouteCall, "db" | "emit" | "now" | "uuid">;

/** Users of an event: enough to know whom it is about, however many are meant. */
const TOLD_USERS = 30;

/** RUN-14: to servers only. */
function tell(at: Running, type: "campaign.started" | "campaign.completed", id: string): void {
  const { campaign } = campaignView(at, campaignRow(at.db, id), { limit: TOLD_USERS });
  at.emit.server({ type, campaign });
}

/** RUN-2: freezes the targets; those an earlier run served stay served. */
export function beginCampaign(at: Running, row: CampaignRow): void {
  const { db } = at;
  const now = at.now();
  freezeTargets(db, row, now);
  markStarted(db, row, now);
  tell(at, "campaign.started", row.id);
}

/** Stops what waits or runs: nobody is served after this (RUN-12). */
export function halt({ db, now }: Pick<Running, "db" | "now">, row: CampaignRow): void {
  markStopped(db, row.id, now());
}

/** RUN-1: stored, so that a start-up goes on where the last turn ended. */
export const campaignWork: DueWork = {
  name: "campaigns",
  next: (db) => firstCampaignDue(db)?.due_at ?? undefined,
  run(due) {
    const row = firstCampaignDue(due.db);
    if (!row) return;
    // RUN-15: whose end has passed is not begun any more
    if (row.stop_at !== null && row.stop_at <= due.now()) halt(due, row);
    else if (row.status === "scheduled") beginCampaign(due, row);
    else turn(due, row);
  },
};

function passedOver(due: DueContext, row: CampaignRow, target: CampaignTarget, thrown: unknown): void {
  const why = thrown instanceof ApiProblem ? thrown.message : String((thrown as Error)?.stack ?? thrown);
  due.failed?.(`campaign ${row.id}: ${target.kind} ${target.id} was passed over: ${why}`);
}

/** RUN-3, RUN-11, RUN-13. */
function turn(due: DueContext, row: CampaignRow): void {
  const { db } = due;
  const targets = waitingTargets(db, row.id, CAMPAIGN_BATCH);
  for (const target of targets) {
    if (row.stop_at !== null && row.stop_at <= due.now()) return halt(due, row);
    // A target that fails is passed over; its half-done writes are not kept.
    const outcome = attemptPart(due, (emit) => serve({ ...due, emit }, row, target));
    if ("thrown" in outcome) passedOver(due, row, target, outcome.thrown);
    markServed(db, row.id, target.id);
  }
  const now = due.now();
  if (targets.length === CAMPAIGN_BATCH) return markTurned(db, row.id, now);
  markCompleted(db, row.id, now);
  tell(due, "campaign.completed", row.id);
}
