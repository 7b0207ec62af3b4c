/** Polls the campaign in the panel every second until it is over, with the same pace meter as `parley campaign watch`. */
import { PaceMeter } from "../../../commands/campaign/pace.ts";
import { hasEnded, type CampaignOutcome } from "../../../commands/campaign/receipts/outcome.ts";
import type { OwnCampaign } from "../../../commands/campaign/receipts/own-campaign.ts";
import type { Core } from "../../../core/core.ts";
import { errorWords } from "../../screen/notices.ts";
import type { Ports } from "../../ports/ports.ts";
import { panelsChanged, topPanelOf, type Screen } from "../../screen/screen.ts";
import { ownCallOf, receptionCall, serverCore } from "./actions.ts";
import { CAMPAIGN_PANEL, campaignPanel, type CampaignPanel } from "./state.ts";

type Needs = Pick<Ports, "store" | "server" | "clock" | "campaignFolder">;

/** Updates the panel of that campaign, wherever it is in the stack. */
const withCampaign =
  (id: string, update: Partial<CampaignPanel>) =>
  (screen: Screen): Screen =>
    panelsChanged(screen, campaignPanel(id), (panel) => ({ ...panel, ...update }));

/** The campaign at the provider, or that of this machine; whom the provider did not reach is asked once, when it is over. */
async function found(ports: Needs, core: Core, id: string): Promise<CampaignOutcome | OwnCampaign> {
  const { orOwn } = await import("../../../commands/campaign/at-provider.ts");
  const { withMissed } = await import("../../../commands/campaign/receipts/missed.ts");
  const request = core.call("getCampaign", { path: { id }, query: { limit: 1 } });
  const campaign = await orOwn(ownCallOf(ports), id, request);
  return "mode" in campaign ? campaign : withMissed(receptionCall(ports, core), campaign.campaign);
}

/** A run of this machine that was stopped can go on in a shell at any time. */
const isFinished = (campaign: CampaignOutcome | OwnCampaign): boolean =>
  "mode" in campaign ? campaign.status === "completed" : hasEnded(campaign);

async function fetchCampaign(ports: Needs, id: string, meter: PaceMeter): Promise<void> {
  const { store, clock } = ports;
  try {
    const campaign = await found(ports, await serverCore(ports), id);
    const { progress, stats_messages_sent: sent } = campaign.stats;
    const shown = { ...campaign, ...meter.sample(clock.now(), sent, progress) };
    store.update(withCampaign(id, { campaign: shown, over: isFinished(campaign), fault: undefined }));
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
