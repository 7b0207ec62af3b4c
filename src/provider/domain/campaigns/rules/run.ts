/** Runs campaigns: fixes the targets, sends in batches of fifty, completes (specification/campaigns.md §9). */
import { CAMPAIGN_BATCH } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { attemptPart } from "../../query/attempt.ts";
import { serveTarget } from "./serve.ts";
import { campaignView } from "../view/campaigns.ts";
import { campaigns, firstCampaignDue, type CampaignRow } from "../storage/campaigns.ts";
import { freezeTargets, unservedTargets, campaignTargets, type CampaignTarget } from "../storage/targets.ts";

type CampaignContext = Pick<RouteCall, "db" | "emit" | "now" | "uuid">;

const EVENT_USERS = 30;

/** RUN-14: to servers only. */
function publish(
  context: CampaignContext,
  type: "campaign.started" | "campaign.completed",
  id: string,
): void {
  const { campaign } = campaignView(context, campaigns.need(context.db, { id }), { limit: EVENT_USERS });
  context.emit.server({ type, campaign });
}

/** RUN-2: fixes the targets; those that an earlier run served are not served again. */
export function beginCampaign(context: CampaignContext, row: CampaignRow): void {
  const { db } = context;
  const now = context.now();
  freezeTargets(db, row, now);
  campaigns.update(db, row, {
    status: "in_progress",
    started_at: row.started_at ?? now,
    completed_at: null,
    scheduled_for: row.scheduled_for,
    stop_at: row.stop_at,
    // The first batch is due at once.
    due_at: now,
    updated_at: now,
  });
  publish(context, "campaign.started", row.id);
}

/** Stops a scheduled or running campaign: no target is served after this (RUN-12). */
export function haltCampaign({ db, now }: Pick<CampaignContext, "db" | "now">, row: CampaignRow): void {
  campaigns.update(db, row, { status: "stopped", due_at: null, updated_at: now() });
}

/** RUN-1: the state of a run is stored, so a restart continues after the last batch. */
export const campaignWork: DueWork = {
  name: "campaigns",
  next: (db) => firstCampaignDue(db)?.due_at ?? undefined,
  run(due) {
    const row = firstCampaignDue(due.db);
    if (!row) return;
    // RUN-15: a campaign whose end has passed is stopped, not started.
    if (row.stop_at !== null && row.stop_at <= due.now()) haltCampaign(due, row);
    else if (row.status === "scheduled") beginCampaign(due, row);
    else runBatch(due, row);
  },
};

function reportFailure(due: DueContext, row: CampaignRow, target: CampaignTarget, thrown: unknown): void {
  const reason = thrown instanceof ApiProblem ? thrown.message : String((thrown as Error)?.stack ?? thrown);
  due.reportError?.(`campaign ${row.id}: ${target.kind} ${target.id} was passed over: ${reason}`);
}

/** RUN-3, RUN-11, RUN-13. */
function runBatch(due: DueContext, row: CampaignRow): void {
  const { db } = due;
  const targets = unservedTargets(db, row.id, CAMPAIGN_BATCH);
  for (const target of targets) {
    if (row.stop_at !== null && row.stop_at <= due.now()) return haltCampaign(due, row);
    // A target that fails is skipped, and its writes are undone.
    const outcome = attemptPart(due, (emit) => serveTarget({ ...due, emit }, row, target));
    if ("thrown" in outcome) reportFailure(due, row, target, outcome.thrown);
    campaignTargets.change(db, { campaign_id: row.id, target_id: target.id }, { served: 1 });
  }
  const now = due.now();
  if (targets.length === CAMPAIGN_BATCH) {
    campaigns.update(db, row, { due_at: now, updated_at: now });
    return;
  }
  campaigns.update(db, row, { status: "completed", completed_at: now, due_at: null, updated_at: now });
  publish(due, "campaign.completed", row.id);
}
