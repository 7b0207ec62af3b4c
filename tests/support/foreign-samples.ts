/** A small export of each service, with what a person reads after its import. */
import { writeFileSync } from "node:fs";

interface Sample {
  /** Writes the export to a path and returns what is to be converted. */
  write(place: string): string;
  /** Somebody who may read the channel. */
  reader: string;
  channel: string;
  /** Name, text and type of its messages. */
  shown: (readonly [name: string, text: string, type: string])[];
}

const asJson = (value: unknown) => (place: string) => {
  writeFileSync(place, JSON.stringify(value));
  return place;
};

const discordUser = (id: string, name: string) => ({
  id,
  name,
  discriminator: "0000",
  nickname: name,
  isBot: false,
});

export const SAMPLES: Record<string, Sample> = {
  discord: {
    write: asJson({
      guild: { id: "1", name: "Bakery", iconUrl: "" },
      channel: { id: "10", type: "GuildTextChat", category: "Rooms", name: "kitchen", topic: null },
      messages: [
        {
          id: "101",
          type: "Default",
          timestamp: "2026-03-01T09:00:00+01:00",
          content: "rise **now**",
          author: discordUser("70", "Ada"),
          reactions: [
            { emoji: { id: "", name: "🍞", code: "bread" }, count: 1, users: [discordUser("71", "Ben")] },
          ],
        },
        {
          id: "102",
          type: "Reply",
          timestamp: "2026-03-01T09:01:00+01:00",
          content: "rising",
          author: discordUser("71", "Ben"),
          reference: { type: "Default", messageId: "101", channelId: "10" },
        },
      ],
      messageCount: 2,
    }),
    reader: "discord-70",
    channel: "messaging:discord-10",
    shown: [
      ["Ada", "rise **now**", "regular"],
      ["Ben", "rising", "regular"],
    ],
  },
  telegram: {
    write: asJson({
      name: "Bakery",
      type: "private_supergroup",
      id: 1500,
      messages: [
        {
          id: 1,
          type: "message",
          date: "2026-03-01T09:00:00",
          date_unixtime: "1772352000",
          edited: "2026-03-01T09:05:00",
          edited_unixtime: "1772352300",
          from: "Ada",
          from_id: "user70",
          text_entities: [
            { type: "plain", text: "rise " },
            { type: "bold", text: "now" },
          ],
          reactions: [
            {
              type: "emoji",
              count: 1,
              emoji: "👍",
              recent: [{ from: "Ben", from_id: "user71", date: "2026-03-01T09:06:00" }],
            },
          ],
        },
        {
          id: 2,
          type: "message",
          date: "2026-03-01T09:01:00",
          date_unixtime: "1772352060",
          from: null,
          from_id: "user72",
          reply_to_message_id: 1,
          poll: { question: "Rye?", closed: true, total_voters: 1, answers: [{ text: "yes", voters: 1 }] },
          text: "",
          text_entities: [],
        },
      ],
    }),
    reader: "tg-user70",
    channel: "messaging:tg-c1500",
    shown: [
      ["Ada", "rise **now**", "regular"],
      ["Deleted account", "📊 **Rye?**\n- yes (1)", "regular"],
    ],
  },
};
