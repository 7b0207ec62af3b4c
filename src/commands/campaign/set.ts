/** Changes the given fields of a campaign; the provider's update replaces all, so the others are sent unchanged. */
import { CAMPAIGN } from "./args/campaign.ts";
import { wrongStatus, withConflicts } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import {
  campaignFields,
  FIELDS,
  FIELDS_FILE,
  requireKnownReceivers,
  requireComplete,
  withoutManagedKeys,
} from "./fields.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Change fields of a campaign that has not been sent",
  changes: "provider",
  aliases: ["update"],
  examples: ["campaign set spring --text 'Hello {{receiver.name}}'", "campaign set spring fields.yaml"],
  args: {
    campaign: CAMPAIGN,
    file: FIELDS_FILE,
    ...FIELDS,
  },
  needs: "secret",
  async run(call) {
    const { campaign, file, ...flags } = call.args;
    const before = (await call.core.call("getCampaign", { path: { id: campaign }, query: {} })).campaign;
    const base = await withoutManagedKeys({ ...before });
    const { id: _id, ...fields } = requireComplete(await campaignFields(call, file, flags, base));
    const known = new Set(before.user_ids);
    await requireKnownReceivers(
      call,
      fields.user_ids?.filter((one) => !known.has(one)),
    );
    const reply = await withConflicts(
      call.core.call("updateCampaign", { path: { id: campaign }, body: fields }),
      { status: wrongStatus(campaign) },
    );
    return reply.campaign;
  },
  show: campaignFieldsView,
});
