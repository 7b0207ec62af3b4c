/** The shape of a campaign file: campaign, audience and guards. */
import { campaignBodies } from "../../../wire/bodies/campaigns.ts";
import { any, filter, list, object, text, whole, type Infer } from "../../../wire/fields.ts";

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
  audience: object(audience),
  guards: object(guards),
};

export type AudienceInput = Infer<typeof audience>;
export type GuardsInput = Infer<typeof guards>;

/** Descriptions for editors by dotted path. */
export const CAMPAIGN_KEY_HELP: Readonly<Record<string, string>> = {
  id: "Its id: what every command calls it by, and what is typed to start it.",
  name: "What people call it.",
  description: "What it is for.",
  sender_id: "In whose name it is sent: a user.",
  sender_mode: "Whether the sender becomes a member of channels: include always, exclude never.",
  sender_visibility: "How new channels stand with the sender.",
  message_template: "The message that everybody gets.",
  "message_template.text": "With {{ receiver.name }}, {{ sender.name }} and {{ channel.name }}.",
  "message_template.poll_id": "A poll that goes with it.",
  "message_template.custom": "Custom fields of the message.",
  channel_template: "The channel of each receiver; without it the newest one of sender and receiver.",
  "channel_template.type": "The channel type.",
  "channel_template.id": "Such as news-{{receiver.id}}; without it the channel of the two.",
  create_channels: "Make channels that are missing.",
  show_channels: "Bring hidden channels back.",
  skip_push: "Without push notifications.",
  skip_webhook: "Without telling the app's hooks.",
  segment_ids: "Segments as they are; audience is the way with checks.",
  user_ids: "Receivers, when they are few.",
  audience: "Who gets it: one of its keys.",
  "audience.segment": "The users of a segment.",
  "audience.segments": "The users of several segments, each once.",
  "audience.filter": "Whoever matches this filter of users when it is started.",
  "audience.ids": "A file with an id a line; - reads standard input.",
  "audience.csv": "A CSV file with a column id; the other columns are for --mode messages.",
  "audience.ndjson": "A file with a JSON object a line, each with an id.",
  guards: "What must hold, or nothing is sent.",
  "guards.expect": "How many receivers there must be: 1000, or 900..1100.",
  "guards.max_recipients": "Never more receivers than this.",
  "guards.window": "The hours in which it may start: 09:00-18:00.",
  "guards.time_zone": "The time zone of window and quiet_days, such as Europe/Berlin.",
  "guards.quiet_days": "Days on which it never starts: saturday, or 2030-12-25.",
};
