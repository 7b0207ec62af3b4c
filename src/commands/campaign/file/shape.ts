/** The shape of a campaign file: campaign, audience and guards. */
import { campaignBodies } from "../../../wire/bodies/campaigns.ts";
import { SEND_MODES } from "../args/flow.ts";
import { any, choice, filter, list, object, text, whole, type Infer } from "../../../wire/entities/fields.ts";

const audience = {
  segment: text(255),
  segments: list(text(255)),
  filter: filter(),
  ids: text(),
  csv: text(),
  ndjson: text(),
};

const guards = {
  expect: any<string | number>(),
  max_recipients: whole(1),
  window: text(11),
  time_zone: text(64),
  quiet_days: list(text(10)),
};

/** The acting user is not part of a file. */
const { user: _user, user_id: _userId, ...campaign } = campaignBodies.createCampaign;

export const CAMPAIGN_FILE = {
  ...campaign,
  mode: choice(...SEND_MODES),
  audience: object(audience),
  guards: object(guards),
};

export type AudienceInput = Infer<typeof audience>;
export type GuardsInput = Infer<typeof guards>;

/** Descriptions for editors by dotted path. */
export const CAMPAIGN_KEY_HELP: Readonly<Record<string, string>> = {
  id: "Its id, used by all commands, and typed to confirm a start.",
  name: "Its name.",
  mode: "Who sends it: the provider (campaign, the default), or this program, with the columns of each record (messages).",
  description: "What it is for.",
  sender_id: "The user it is sent as.",
  sender_mode: "Whether the sender becomes a member of channels: include always, exclude never.",
  sender_visibility: "Whether new channels are visible for the sender.",
  message_template: "The message.",
  "message_template.text": "Its text, with {{ receiver.name }}, {{ sender.name }} and {{ channel.name }}.",
  "message_template.poll_id": "A poll to attach.",
  "message_template.custom": "Custom fields of the message.",
  channel_template: "The channel of each receiver (default: the newest one with the sender).",
  "channel_template.type": "The channel type.",
  "channel_template.id": "Such as news-{{receiver.id}} (default: the direct channel with the sender).",
  create_channels: "Create missing channels.",
  show_channels: "Unhide hidden channels.",
  skip_push: "Send no push notifications.",
  skip_webhook: "Do not call the app's webhooks.",
  segment_ids: "Segments, without the checks of audience.",
  user_ids: "A few receivers by id.",
  audience: "The receivers: use one of its keys.",
  "audience.segment": "The users of a segment.",
  "audience.segments": "The users of several segments, each once.",
  "audience.filter": "All users who match this filter at the start.",
  "audience.ids": "A file with one id per line; - reads standard input.",
  "audience.csv": "A CSV file with a column id; the other columns are for --mode messages.",
  "audience.ndjson": "A file with one JSON object per line, each with an id.",
  guards: "Conditions for sending anything.",
  "guards.expect": "The expected number of receivers: 1000, or 900..1100.",
  "guards.max_recipients": "Maximum number of receivers.",
  "guards.window": "The hours in which it may start: 09:00-18:00.",
  "guards.time_zone": "The time zone of window and quiet_days, such as Europe/Berlin.",
  "guards.quiet_days": "Days on which it must not start: saturday, or 2030-12-25.",
};
