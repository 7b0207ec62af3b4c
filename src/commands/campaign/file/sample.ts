/** The campaign file that `campaign new` writes: valid as it is, with a comment on each key. */
import { SCHEMA_FILE } from "./schema.ts";

export const sampleFile = (
  id: string,
  sender: string,
): string => `# yaml-language-server: $schema=./${SCHEMA_FILE}
# A campaign: one message to many. parley campaign check finds its problems and sends nothing.

# All commands use this id; you type it to confirm a start.
id: ${id}
name: ${id}
# Who sends it: campaign (the provider), or messages (this program, with the columns of each record).
# mode: messages

# The user it is sent as.
sender_id: ${sender}

message_template:
  # {{ receiver.name }}, {{ sender.name }}, and any other of their fields.
  text: "Hi {{ receiver.name }}, this is {{ sender.name }}."
  # Custom fields of the message:
  # custom: { promo: true }
  # poll_id: the-id-of-a-poll

# The channel of each receiver; without an id, their direct channel with the sender.
channel_template:
  type: messaging
  id: "${id}-{{ receiver.id }}"
create_channels: true
# show_channels: true      unhide hidden channels
# skip_push: true          send no push notifications

# The receivers: use one of these. File names are relative to this file; - is standard input.
audience:
  segment: ${id}
  # filter: { role: user }
  # ids: people.txt        one id per line
  # csv: people.csv        with a column id; other columns are for --mode messages
  # ndjson: people.ndjson  as printed by parley user list --ndjson

# Conditions for sending anything.
guards:
  # expect: 900..1100
  max_recipients: 10000
  # window: 09:00-18:00
  # time_zone: Europe/Berlin
  # quiet_days: [saturday, sunday, 2030-12-25]
`;
