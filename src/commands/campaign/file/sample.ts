/** The campaign file that `campaign new` writes: valid as it is, with a comment on each key. */
import { SCHEMA_FILE } from "./schema.ts";

export const sampleFile = (
  id: string,
  sender: string,
): string => `# yaml-language-server: $schema=./${SCHEMA_FILE}
# A campaign: one message to many. parley campaign check tells what is wrong with it, and sends nothing.

# Every command calls it by this id; it is typed to start it.
id: ${id}
name: ${id}
# In whose name it is sent.
sender_id: ${sender}

message_template:
  # {{ receiver.name }}, {{ sender.name }}, and any other field of theirs.
  text: "Hi {{ receiver.name }}, this is {{ sender.name }}."
  # Fields of your own, which stand in every message:
  # custom: { promo: true }
  # poll_id: the-id-of-a-poll

# The channel of each receiver. Without an id it is the one of sender and receiver.
channel_template:
  type: messaging
  id: "${id}-{{ receiver.id }}"
create_channels: true
# show_channels: true      brings hidden channels back
# skip_push: true          without push notifications

# Who gets it: one of these. Files are named from the folder of this file; - is standard input.
audience:
  segment: ${id}
  # filter: { role: user }
  # ids: people.txt        an id a line
  # csv: people.csv        a header with the column id; its columns are for --mode messages
  # ndjson: people.ndjson  as parley user list --ndjson prints them

# What must hold, or nothing is sent.
guards:
  # expect: 900..1100
  max_recipients: 10000
  # window: 09:00-18:00
  # time_zone: Europe/Berlin
  # quiet_days: [saturday, sunday, 2030-12-25]
`;
