/** Creates a campaign from a file, flags, or both. */
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { campaignFields, FIELDS, FIELDS_FILE, requireKnownReceivers, requireComplete } from "./fields.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Create a campaign",
  changes: "provider",
  examples: [
    "campaign create fields.yaml --id spring",
    "campaign create --id spring --sender ana --text 'Hi {{receiver.name}}' --to bo --to cy --channel-id 'news-{{receiver.id}}' --create-channels",
  ],
  args: {
    file: FIELDS_FILE,
    id: { kind: "text", value: "id", help: "Its id (default: chosen by the provider)" },
    ...FIELDS,
  },
  needs: "secret",
  async run(call) {
    const { file, id, ...flags } = call.args;
    const fields = requireComplete(await campaignFields(call, file, flags));
    await requireKnownReceivers(call, fields.user_ids);
    const body = { ...fields, ...(id === undefined ? {} : { id }) };
    const request = call.core.call("createCampaign", { body });
    const chosen = body.id;
    if (chosen === undefined) return (await request).campaign;
    const findExisting = (): Promise<unknown> => call.core.call("getCampaign", { path: { id: chosen } });
    const message = `Campaign ${chosen} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "parley campaign set changes it." }))
      .campaign;
  },
  show: campaignFieldsView,
});
