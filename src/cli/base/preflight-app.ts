/** The dry-run checks of changes to the app: roles, channel types, lists, segments and campaigns. */
import { CommandError } from "../../commands/base/define-command.ts";
import { hookAddress } from "../../wire/hook-address.ts";
import { BUILT_IN_COMMANDS } from "../../wire/built-in-commands.ts";
import { CAMPAIGN_STATES } from "../../wire/entities/campaign.ts";
import { BUILT_IN_CHANNEL_TYPES } from "../../wire/entities/channel-type.ts";
import { reasonOf } from "../../wire/errors.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { channelTypeProblem, NAME, NAME_FORM, CHOSEN_ID, CHOSEN_ID_FORM } from "../../wire/ids.ts";
import { exitOf } from "./exit.ts";
import type { PreflightCore } from "./preflight-kinds.ts";
import { asFields, asList } from "./preflight-needs.ts";
import { rejected, missing, type PlannedCall, type StateCheck } from "./preflight-check.ts";

const requireCustomPermission: StateCheck = async (core, { path }) => {
  const { id = "" } = path;
  const { permission } = await core.call("getPermission", { path: { id } });
  if (!permission.custom) throw rejected(`Permission ${id} is built in and stays as it is.`);
};

const requireCustomCommand: StateCheck = (_core, { path: { name = "" } }) => {
  if (BUILT_IN_COMMANDS.some((one) => one.name === name))
    throw rejected(`Command ${name} is built in and stays as it is.`);
};

/** Throws `CommandError` (rejected) when the name of a new object has the wrong form. */
const requireForm =
  (field: "id" | "name", form: RegExp, requirement: string): StateCheck =>
  (_core, { body }) => {
    const name = body[field];
    if (typeof name === "string" && name !== "" && !form.test(name))
      throw rejected(`${field} ${requirement}.`);
  };

const requireValidName = requireForm("name", NAME, NAME_FORM);
const requireValidId = requireForm("id", CHOSEN_ID, CHOSEN_ID_FORM);

/** Each action needs a campaign in certain states. */
const requireCampaignState =
  (action: keyof typeof CAMPAIGN_STATES, done: string): StateCheck =>
  async (core, { path: { id = "" } }) => {
    const { status } = (await core.call("getCampaign", { path: { id }, query: { limit: 1 } })).campaign;
    if (!CAMPAIGN_STATES[action].includes(status))
      throw new CommandError(
        "conflict",
        `Campaign ${id} is ${status} and cannot be ${done}.`,
        `parley campaign get ${id}`,
      );
  };

/** The name that role lists give to the scope of grants outside channels. */
const APP_SCOPE = ".app";

/** Whether a planned call removes all grants of a role in a scope, or the scope itself. */
function removesGrants({ name, path, body }: PlannedCall, role: string, scope: string): boolean {
  if (name === "deleteChannelType") return path?.name === scope;
  const isOfScope = scope === APP_SCOPE ? name === "updateApp" : path?.name === scope;
  return isOfScope && asList(asFields(body?.grants)[role] ?? [role]).length === 0;
}

/** Tries the filter on a list: one that the list refuses is also refused in a segment. */
const requireFilter = async (core: PreflightCore, type: unknown, filter: unknown): Promise<void> => {
  if (filter === undefined) return;
  const filter_conditions = asFields(filter);
  const list =
    type === "channel"
      ? core.call("queryChannels", { body: { filter_conditions, limit: 1, state: false } })
      : core.call("queryUsers", { query: { filter_conditions, limit: 1 } });
  await list.catch((error: Error) => {
    throw exitOf(error) === 7 ? rejected(reasonOf(error.message)) : error;
  });
};

const isHookAddress = (value: unknown): boolean =>
  typeof value !== "string" || value === "" || hookAddress(value) !== undefined;

const HOOK_ADDRESSES = ["webhook_url", "before_message_send_hook_url", "custom_action_handler_url"] as const;

/** No word of a blocklist may be blank, and the words of a regex list have to be patterns. */
async function requireBlocklistWords(words: unknown, type: unknown): Promise<void> {
  // Loaded on demand: the pattern engine is large and rarely needed.
  const { isPattern, PATTERN_FORM } = await import("../../text/pattern.ts");
  for (const [i, word] of asList(words).map(String).entries())
    if (word.trim() === "") throw rejected(`words.${i} must not be blank.`);
    else if (type === "regex" && !isPattern(word)) throw rejected(`words.${i} ${PATTERN_FORM}.`);
}

export const APP_STATES: Partial<Record<EndpointName, StateCheck>> = {
  createRole: requireValidName,
  createCommand: requireValidName,
  async createBlocklist(core, call, planned) {
    await requireBlocklistWords(call.body.words, call.body.type);
    return requireValidName(core, call, planned);
  },
  async updateBlocklist(core, { path: { name = "" }, body: { words } }) {
    await requireBlocklistWords(words, (await core.call("getBlocklist", { path: { name } })).blocklist.type);
  },
  updateApp(_core, { body }) {
    const invalid = HOOK_ADDRESSES.find((field) => !isHookAddress(body[field]));
    if (invalid !== undefined) throw rejected(`${invalid} must be an http or https address.`);
    for (const [i, hook] of asList(body.event_hooks).map(asFields).entries()) {
      const field = `event_hooks.${i}.webhook_url`;
      if (!isHookAddress(hook.webhook_url)) throw rejected(`${field} must be an http or https address.`);
      if (hook.hook_type === "webhook" && !hook.webhook_url) throw rejected(`${field} is required.`);
    }
  },
  createPermission(core, call, planned) {
    const { name } = call.body;
    if (typeof name === "string" && name.trim() === "") throw rejected("name must not be blank.");
    return requireForm("id", NAME, NAME_FORM)(core, call, planned);
  },
  createChannelType(_core, { body: { name } }) {
    const problem = typeof name === "string" ? channelTypeProblem(name) : undefined;
    if (problem) throw rejected(`${problem}.`);
  },
  createCampaign: requireValidId,
  async createSegment(core, call, planned) {
    const { all_users, type, filter } = call.body;
    if (all_users && type === "channel") throw rejected("all_users is for segments of users.");
    await requireValidId(core, call, planned);
    return requireFilter(core, type, filter);
  },
  async updateSegment(core, { path: { id = "" }, body: { filter } }) {
    if (filter === undefined) return;
    const { segment } = await core.call("getSegment", { path: { id } });
    if (!segment.filter) throw rejected("filter cannot be given to a segment that was made without one.");
    await requireFilter(core, segment.type, filter);
  },
  updateCampaign: requireCampaignState("change", "changed"),
  startCampaign: requireCampaignState("start", "started"),
  stopCampaign: requireCampaignState("stop", "stopped"),
  async deletePushProvider(core, { path: { type, name } }) {
    const { push_providers: all } = await core.call("listPushProviders");
    if (!all.some((one) => one.type === type && one.name === name))
      throw missing(`Push provider ${type} ${name} does not exist.`);
  },
  async deleteRole(core, { path: { name = "" } }, planned) {
    const role = (await core.call("listRoles")).roles.find((one) => one.name === name);
    if (role === undefined) return;
    if (!role.custom) throw rejected(`Role ${name} is built in and stays.`);
    const remaining = role.scopes.filter(
      (scope) => !planned.some((call) => removesGrants(call, name, scope)),
    );
    if (remaining.length > 0) throw rejected(`Role ${name} still has grants in ${remaining.join(", ")}.`);
    const holders = await core.call("queryUsers", { query: { filter_conditions: { role: name }, limit: 1 } });
    if (holders.users.length > 0) throw rejected(`Role ${name} is still held by users.`);
  },
  updatePermission: requireCustomPermission,
  async deletePermission(core, call, planned) {
    await requireCustomPermission(core, call, planned);
    const { id = "" } = call.path;
    const { channel_types } = await core.call("listChannelTypes");
    const scope = Object.entries(channel_types).find(([, { grants }]) =>
      Object.values(grants ?? {}).some((names) => names.includes(id)),
    )?.[0];
    if (scope !== undefined) throw rejected(`id is still granted in ${scope}; take it away there first.`);
  },
  updateCommand: requireCustomCommand,
  deleteCommand: requireCustomCommand,
  async deleteChannelType(core, { path: { name = "" } }) {
    if (BUILT_IN_CHANNEL_TYPES.some((one) => one === name))
      throw rejected(`Channel type ${name} is built in and stays.`);
    const body = { filter_conditions: { type: name }, limit: 1, state: false };
    if ((await core.call("queryChannels", { body })).channels.length > 0)
      throw rejected(`Channel type ${name} has channels; delete them first.`);
  },
};
