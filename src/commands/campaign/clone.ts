/** Creates a draft as a copy of another campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { withoutManagedKeys, requireComplete } from "./fields.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Create a draft copy of a campaign",
  changes: "provider",
  examples: ["campaign clone spring summer", "campaign clone spring summer --name 'Summer tea'"],
  args: {
    campaign: CAMPAIGN,
    id: { kind: "text", positional: true, value: "id", help: "Id of the new campaign" },
    name: { kind: "text", value: "name", help: "Its name (default: the name of the original)" },
  },
  needs: "secret",
  async run(call) {
    const { campaign, id, name } = call.args;
    const old = (await call.core.call("getCampaign", { path: { id: campaign }, query: { limit: 1 } }))
      .campaign;
    const fields = requireComplete(await withoutManagedKeys({ ...old }));
    const body = { ...fields, id, ...(name === undefined ? {} : { name }) };
    const request = call.core.call("createCampaign", { body });
    const findExisting = (): Promise<unknown> => call.core.call("getCampaign", { path: { id } });
    const message = `Campaign ${id} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "Choose another id." })).campaign;
  },
  show: campaignFieldsView,
});
