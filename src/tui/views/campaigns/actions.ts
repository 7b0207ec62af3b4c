/** Actions on campaigns: lists, watches, stops and resumes them; the profile needs the app's secret. */
import type { CampaignOutcome } from "../../../commands/campaign/receipts/outcome.ts";
import type { ReceptionCall } from "../../../commands/campaign/receipts/received.ts";
import type { OwnCall, OwnCampaign } from "../../../commands/campaign/receipts/own-campaign.ts";
import { countWords, percent, stateWords } from "../../../commands/campaign/view.ts";
import { commandLine, loadLine } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import type { Core } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { QUERY_CAMPAIGNS_LIMIT } from "../../../wire/constants.ts";
import { withFocus, panelPushed } from "../../screen/transitions.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { panelsChanged } from "../../screen/screen.ts";
import { campaignPanel } from "./state.ts";
import { askToConfirm, attempt, openPicker, showNotice } from "../../screen/notices.ts";

/** The client with the app's rights; rejects with advice if the profile has no secret. */
export const serverCore = async ({ server }: Pick<Ports, "server">): Promise<Core> => {
  if (!server) throw new Error(words.campaigns.noSecret);
  return server();
};

/** Where the journals of this machine are. */
export const ownCallOf = ({ campaignFolder, clock }: Pick<Ports, "campaignFolder" | "clock">): OwnCall => ({
  ...(campaignFolder !== undefined && { machine: { folder: campaignFolder } }),
  now: () => clock.now(),
});

/** What asks whom a campaign did not reach. */
export const receptionCall = (ports: Pick<Ports, "campaignFolder" | "clock">, core: Core): ReceptionCall => ({
  ...ownCallOf(ports),
  core,
  signal: new AbortController().signal,
  progress: () => {},
});

const choiceOf = (ports: Ports, campaign: CampaignOutcome | OwnCampaign): Choice => ({
  label: cleanLine(campaign.name || campaign.id),
  detail: [countWords(campaign), percent(campaign.stats.progress), stateWords(campaign)]
    .filter(Boolean)
    .join(" · "),
  choose: () => openCampaign(ports, campaign.id),
  keywords: campaign.id,
  group: "mode" in campaign ? words.campaigns.here : words.campaigns.atProvider,
});

/** Those that this machine sends stand first, as in `parley campaign list`. */
async function listCampaigns(ports: Ports): Promise<void> {
  const core = await serverCore(ports);
  const { ownCampaigns } = await import("../../../commands/campaign/receipts/own-campaign.ts");
  const { withMissed } = await import("../../../commands/campaign/receipts/missed.ts");
  const body = { filter: {}, user_limit: 1, limit: QUERY_CAMPAIGNS_LIMIT[1] };
  const { campaigns } = await core.call("queryCampaigns", { body });
  const call = receptionCall(ports, core);
  const atProvider = await Promise.all(campaigns.map((one) => withMissed(call, one)));
  const all = [...ownCampaigns(ownCallOf(ports)), ...atProvider];
  if (all.length === 0) return showNotice(ports, words.campaigns.none);
  openPicker(ports, { title: words.campaigns.title, choices: all.map((one) => choiceOf(ports, one)) });
}

export const openCampaigns = (ports: Ports): void => attempt(ports, listCampaigns(ports));

/** Opens a campaign in the panel, which refreshes it every second. */
export function openCampaign({ store }: Pick<Ports, "store">, id: string): void {
  store.update((s) => withFocus(panelPushed(s, campaignPanel(id)), "panel"));
}

/** Runs a command with the app's rights, after its own question or that of `stop`. */
export async function changeCampaign(
  ports: Ports,
  path: string,
  id: string,
  stop?: { question: string; done: string },
): Promise<void> {
  const { clock, random } = ports;
  const { channelType } = ports.settings;
  const line = await loadLine(commandLine(path, { campaign: id }, { channelType, now: clock.now() }));
  if (line.kind === "fault") throw new Error(line.message);
  const { question, done } = stop ?? {};
  const confirmation = question ? ({ level: "moderate", question } as const) : line.question;
  const go = async (): Promise<void> => {
    const caller = { channelType, now: () => clock.now(), random, limit: 1 };
    const core = await serverCore(ports);
    const { views } = await runInChat(line, { core, currentChannel: undefined, ...caller });
    const lines = views.map((view) => (view.kind === "line" ? cleanLine(view.text) : ""));
    showNotice(ports, done ?? lines.join(""), "success");
    // Resets the panel, so that it loads again even if the campaign was over.
    const again = campaignPanel(id);
    ports.store.update((s) => panelsChanged(s, again, () => again));
  };
  askToConfirm(ports, confirmation!, () => attempt(ports, go()));
}

export const campaignActions = { campaigns: openCampaigns } satisfies Record<string, Action>;
