/** Fields of a campaign from a file and flags that override it. */
import { SENDER_MODES, SENDER_VISIBILITIES } from "../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../wire/bodies/campaigns.ts";
import { ignoredOf } from "../../wire/entities/fields.ts";
import { withoutMarks } from "./receipts/marks.ts";
import { thereIsNo } from "../../text/words.ts";
import { readObjectFile } from "../base/json.ts";
import {
  CommandError,
  type Args,
  type Call,
  type FileReading,
  type ArgValues,
} from "../base/define-command.ts";
import { rejectUnknownFields } from "../base/known-fields.ts";
import { readPairs } from "../base/custom-fields.ts";
import { textOf } from "../base/text.ts";

export const FIELDS_FILE = {
  kind: "file",
  positional: true,
  optional: true,
  help: "File with its fields (YAML or JSON); - reads standard input",
} as const;

export const FIELDS = {
  name: { kind: "text", value: "name", help: "Its name" },
  description: { kind: "text", value: "text", help: "What it is for" },
  sender: { kind: "user", help: "The user it is sent as" },
  senderMode: {
    kind: "choice",
    choices: [...SENDER_MODES, "default"],
    help: "Whether the sender becomes a member of the channels",
  },
  senderVisibility: {
    kind: "choice",
    choices: [...SENDER_VISIBILITIES, "default"],
    help: "Visibility of new channels for the sender",
  },
  text: {
    kind: "text",
    value: "text",
    help: "The message: {{ receiver.name }}, {{ sender.x }}, {{ channel.x }}; - reads standard input",
  },
  custom: {
    kind: "list",
    value: "name=value",
    help: "Custom field of the message as name=value (repeatable)",
  },
  poll: { kind: "text", value: "poll", help: "A poll to attach" },
  to: { kind: "list", value: "user", help: "A recipient (repeatable)" },
  segment: { kind: "list", value: "segment", help: "A segment of recipients (repeatable)" },
  channelType: { kind: "text", value: "type", help: "Type of the channels it is sent to" },
  channelId: {
    kind: "text",
    value: "template",
    help: "Id of those channels, for example 'news-{{receiver.id}}'",
  },
  createChannels: { kind: "flag", help: "Create missing channels" },
  showChannels: { kind: "flag", help: "Unhide hidden channels" },
  skipPush: { kind: "flag", help: "Send no push notifications" },
} as const satisfies Args;

type FieldValues = ArgValues<typeof FIELDS>;

/** Removes keys managed by the provider and marks, so that the output of `campaign get --json` can be used as a file. */
export async function withoutManagedKeys(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { campaignBodies } = await import("../../wire/bodies/campaigns.ts");
  const managed: ReadonlySet<string> = new Set(ignoredOf(campaignBodies.createCampaign));
  return withoutMarks(Object.fromEntries(Object.entries(fields).filter(([key]) => !managed.has(key))));
}

const emptyIfDefault = (value: string): string => (value === "default" ? "" : value);

/** Merges `base`, the file and the flags. Throws `CommandError` for unknown fields. */
export async function campaignFields(
  call: FileReading,
  file: string | undefined,
  flags: FieldValues,
  base: Partial<CampaignInput> = {},
): Promise<Partial<CampaignInput>> {
  const read = file === undefined ? {} : await readObjectFile(call, file);
  const { campaignBodies } = await import("../../wire/bodies/campaigns.ts");
  const input = read.campaign ? (read.campaign as Record<string, unknown>) : read;
  if (input.audience !== undefined)
    throw new CommandError(
      "rejected",
      `${file} is a campaign file, and this takes the fields of a campaign alone.`,
      "parley campaign start and schedule take a campaign file.",
    );
  rejectUnknownFields(campaignBodies.createCampaign, input, "A campaign");
  const fileFields = await withoutManagedKeys(input);
  const fields = { ...base, ...fileFields } as Partial<CampaignInput>;
  if (flags.name !== undefined) fields.name = flags.name;
  if (flags.description !== undefined) fields.description = flags.description;
  if (flags.sender !== undefined) fields.sender_id = flags.sender;
  if (flags.senderMode !== undefined) fields.sender_mode = emptyIfDefault(flags.senderMode) as "include";
  if (flags.senderVisibility !== undefined)
    fields.sender_visibility = emptyIfDefault(flags.senderVisibility) as "hidden";
  const text = flags.text === undefined ? undefined : await textOf(call, flags.text);
  if (text !== undefined || flags.custom.length || flags.poll !== undefined)
    fields.message_template = {
      ...(fields.message_template ?? { text: "" }),
      ...(text === undefined ? {} : { text }),
      ...(flags.custom.length ? { custom: readPairs(flags.custom, "--custom") } : {}),
      ...(flags.poll === undefined ? {} : { poll_id: flags.poll }),
    };
  if (flags.channelType !== undefined || flags.channelId !== undefined)
    fields.channel_template = {
      ...(fields.channel_template ?? { type: "messaging" }),
      ...(flags.channelType === undefined ? {} : { type: flags.channelType }),
      ...(flags.channelId === undefined ? {} : { id: flags.channelId }),
    };
  if (flags.to.length && flags.segment.length)
    throw new CommandError("usage", "--to and --segment cannot be combined.");
  if (flags.to.length) Object.assign(fields, { user_ids: flags.to, segment_ids: [] });
  if (flags.segment.length) Object.assign(fields, { segment_ids: flags.segment, user_ids: [] });
  if (flags.createChannels) fields.create_channels = true;
  if (flags.showChannels) fields.show_channels = true;
  if (flags.skipPush) fields.skip_push = true;
  return fields;
}

/** Throws `CommandError` (usage) without a sender or a text. */
export function requireComplete(fields: Partial<CampaignInput>): CampaignInput {
  if (!fields.sender_id)
    throw new CommandError("usage", "A campaign needs a sender.", "Add --sender, or sender_id to the file.");
  if (!fields.message_template?.text)
    throw new CommandError(
      "usage",
      "A campaign needs a message.",
      "Add --text, or message_template.text to the file.",
    );
  return fields as CampaignInput;
}

/**
 * Throws `CommandError` (rejected) for unknown receivers, which the provider would accept and skip when sending.
 * Deleted users are allowed, unlike in `unknownOf`: `campaign check` only warns about them.
 */
export async function requireKnownReceivers(
  call: Pick<Call<Args>, "core" | "signal" | "progress">,
  ids: readonly string[] = [],
): Promise<void> {
  const { fetchUsers: usersById } = await import("./audience/people.ts");
  const users = await usersById(call, ids);
  const unknown = ids.filter((id) => !users.has(id));
  if (unknown.length > 0) throw new CommandError("rejected", `${thereIsNo("user", unknown)}.`);
}
