/** Polls the campaign in the panel every second until it is over, with the same pace meter as `parley campaign watch`. */
import { PaceMeter } from "../../../commands/campaign/pace.ts";
import type { CampaignOutcome } from "../../../commands/campaign/receipts/outcome.ts";
import type { Core } from "../../../core/core.ts";
import { errorWords } from "../../screen/notices.ts";
import { isOver, type Campaign } from "../../../wire/entities/campaign.ts";
import type { Ports } from "../../ports/ports.ts";
import { panelsChanged, topPanelOf, type Screen } from "../../screen/screen.ts";
import { serverCore } from "./actions.ts";
import { CAMPAIGN_PANEL, campaignPanel, type CampaignPanel } from "./state.ts";

type Needs = Pick<Ports, "store" | "server" | "clock">;

/** Updates the panel of that campaign, wherever it is in the stack. */
const withCampaign =
  (id: string, update: Partial<CampaignPanel>) =>
  (screen: Screen): Screen =>
    panelsChanged(screen, campaignPanel(id), (panel) => ({ ...panel, ...update }));

/** Adds whom the campaign did not reach; requested once, when it is over. */
async function withMissedAudience(core: Core, campaign: Campaign): Promise<CampaignOutcome> {
  const { withMissed } = await import("../../../commands/campaign/receipts/missed.ts");
  return withMissed({ core, signal: new AbortController().signal, progress: () => {} }, campaign);
}

async function fetchCampaign(ports: Needs, id: string, meter: PaceMeter): Promise<void> {
  const { store, clock } = ports;
  try {
    const core = await serverCore(ports);
    const { campaign } = await core.call("getCampaign", { path: { id }, query: { limit: 1 } });
    const { progress, stats_messages_sent: sent } = campaign.stats;
    const pace = meter.sample(clock.now(), sent, progress);
    const isFinished = isOver(campaign.status);
    const outcome = isFinished ? await withMissedAudience(core, campaign) : campaign;
    store.update(withCampaign(id, { campaign: { ...outcome, ...pace }, over: isFinished, fault: undefined }));
  } catch (error) {
    store.update(withCampaign(id, { fault: errorWords(error) }));
  }
}

/** Returns a function to call each second; it does nothing while a request is in flight. */
export function campaignWatch(ports: Needs): () => Promise<void> {
  let meter = new PaceMeter();
  let watched = "";
  let inFlight = false;
  return async () => {
    const panel = topPanelOf<CampaignPanel>(ports.store.screen, CAMPAIGN_PANEL);
    if (!panel || panel.over || inFlight) return;
    if (panel.key !== watched) meter = new PaceMeter();
    watched = panel.key;
    inFlight = true;
    await fetchCampaign(ports, panel.key, meter).finally(() => (inFlight = false));
  };
}

const watches = new WeakMap<object, () => Promise<void>>();

/** Called each second while a campaign is in the panel. */
export function watchCampaign(ports: Needs): void {
  const watch = watches.get(ports.store) ?? campaignWatch(ports);
  watches.set(ports.store, watch);
  void watch();
}
