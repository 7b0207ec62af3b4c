/** Changes the given fields of a campaign, or of those of a file; the provider's update replaces all, so the others are sent unchanged. */
import type { Campaign } from "../../wire/entities/campaign.ts";
import { QUERY_CAMPAIGNS_LIMIT } from "../../wire/constants.ts";
import { setValue } from "../app/setting-changes.ts";
import type { PartialChange } from "../base/bulk/changed-fields.ts";
import { oneByOne, SET_FILE_ARGS, setOneOrFile, type Settable } from "../base/bulk/set-from-file.ts";
import { wrongStatus, withConflicts } from "../base/conflicts.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { settableIn } from "../base/known-fields.ts";
import { CAMPAIGN } from "./args/campaign.ts";
import {
  campaignFields,
  FIELDS,
  FIELDS_FILE,
  requireKnownReceivers,
  requireComplete,
  withoutManagedKeys,
} from "./fields.ts";
import { ownCampaign, type OwnCampaign } from "./receipts/own-campaign.ts";
import { campaignFieldsView } from "./view.ts";

const ARGS = {
  campaign: { ...CAMPAIGN, orFile: true },
  fields: { ...FIELDS_FILE, value: "file" },
  ...FIELDS,
  ...SET_FILE_ARGS,
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

/** Writes what `change` makes of the fields of a campaign. */
async function update(
  call: SetCall,
  campaign: string,
  change: (base: Record<string, unknown>) => Promise<object>,
): Promise<Campaign> {
  const before = (await call.core.call("getCampaign", { path: { id: campaign }, query: {} })).campaign;
  const { id: _id, ...fields } = requireComplete(await change(await withoutManagedKeys({ ...before })));
  const known = new Set(before.user_ids);
  await requireKnownReceivers(
    call,
    fields.user_ids?.filter((one) => !known.has(one)),
  );
  const request = call.core.call("updateCampaign", { path: { id: campaign }, body: fields });
  return (await withConflicts(request, { status: wrongStatus(campaign) })).campaign;
}

function changeOne(call: SetCall, campaign: string): Promise<Campaign> {
  const { campaign: _, fields, ...flags } = call.args;
  return update(call, campaign, (base) => campaignFields(call, fields, flags, base));
}

/** Those at the provider, and those that this machine sends, of which no field can be set. */
async function campaignsNow(
  call: SetCall,
  ids: readonly string[],
): Promise<Map<string, Campaign | OwnCampaign>> {
  const body = { filter: { id: { $in: [...ids] } }, limit: ids.length, user_limit: 1 };
  const { campaigns } = await call.core.call("queryCampaigns", { body });
  const found = new Map<string, Campaign | OwnCampaign>(campaigns.map((one) => [one.id, one]));
  for (const id of ids) {
    const own = found.has(id) ? undefined : ownCampaign(call, id);
    if (own) found.set(id, own);
  }
  return found;
}

/** A dotted name changes one part of a field. */
const merged = async (base: Record<string, unknown>, { set = {} }: PartialChange): Promise<object> => {
  const fields = { ...base };
  for (const [name, value] of Object.entries(set)) setValue(fields, base, name, value);
  return withoutManagedKeys(fields);
};

async function settableCampaigns(call: SetCall): Promise<Settable<Campaign | OwnCampaign>> {
  await requireNoFields(call);
  const { campaignBodies } = await import("../../wire/bodies/campaigns.ts");
  return {
    noun: "campaign",
    form: {
      ids: ["id", "campaign"],
      known: ["id", "name", "description", "sender_id", "user_ids", "segment_ids"],
      texts: ["name", "description", "sender_id"],
      lists: ["user_ids", "segment_ids"],
      readId: (text) => text,
    },
    isSettable: settableIn(campaignBodies.updateCampaign),
    pageSize: QUERY_CAMPAIGNS_LIMIT[1],
    now: (ids) => campaignsNow(call, ids),
    ...oneByOne<Campaign | OwnCampaign>((id, change) => update(call, id, (base) => merged(base, change))),
  };
}

/** Throws `CommandError` (usage) for the fields of one campaign beside a file of several. */
async function requireNoFields(call: SetCall): Promise<void> {
  const { fields, campaign: _, ...flags } = call.args;
  if (fields !== undefined || Object.keys(await campaignFields(call, undefined, flags)).length > 0)
    throw new CommandError(
      "usage",
      "Fields on the command line go with one campaign; a file says what changes of each.",
    );
}

export default command({
  summary: "Change fields of a campaign that has not been sent",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "campaign set spring --text 'Hello {{receiver.name}}'",
    "campaign set spring fields.yaml",
    "parley campaign list --status draft --csv > f.csv; parley campaign set --file f.csv",
  ],
  args: ARGS,
  needs: "secret",
  run(call) {
    const { campaign } = call.args;
    const one = (id: string): Promise<Campaign | OwnCampaign> => changeOne(call, id);
    return setOneOrFile(call, { name: campaign, one, asked: {}, of: () => settableCampaigns(call) });
  },
  show: campaignFieldsView,
});
