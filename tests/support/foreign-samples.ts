/** A small export of each service, with what a person reads after its import. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

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
  mattermost: {
    write: (place) => {
      const lines = [
        { type: "version", version: 1, info: {} },
        { type: "team", team: { name: "tea", display_name: "Tea House" } },
        { type: "channel", channel: { team: "tea", name: "kitchen", display_name: "Kitchen", type: "O" } },
        {
          type: "user",
          user: {
            username: "ada",
            nickname: "Ada",
            teams: [{ name: "tea", channels: [{ name: "kitchen", roles: "channel_admin" }] }],
          },
        },
        { type: "user", user: { username: "ben", nickname: "Ben" } },
        {
          type: "post",
          post: {
            team: "tea",
            channel: "kitchen",
            user: "ada",
            message: "rise **now**",
            create_at: 1_772_352_000_000,
            edit_at: 1_772_352_300_000,
            reactions: [{ user: "ben", create_at: 1_772_352_100_000, emoji_name: "+1" }],
            replies: [{ user: "ben", message: "rising", create_at: 1_772_352_060_000 }],
          },
        },
        {
          type: "post",
          post: {
            team: "tea",
            channel: "kitchen",
            user: "ben",
            message: "done",
            create_at: 1_772_352_400_000,
          },
        },
      ];
      writeFileSync(place, lines.map((line) => JSON.stringify(line)).join("\n"));
      return place;
    },
    reader: "mm-ada",
    channel: "messaging:mm-tea-kitchen",
    shown: [
      ["Ada", "rise **now**", "regular"],
      ["Ben", "done", "regular"],
    ],
  },
  slackdump: {
    write: (place) => {
      const db = new DatabaseSync(place);
      db.exec(`CREATE TABLE SESSION(ID INTEGER PRIMARY KEY, FINISHED SMALLINT);
        CREATE TABLE CHUNK(ID INTEGER PRIMARY KEY, SESSION_ID INTEGER, TYPE_ID SMALLINT);
        CREATE TABLE S_USER(ID TEXT, CHUNK_ID INTEGER, DATA BLOB); CREATE TABLE CHANNEL(ID TEXT, CHUNK_ID INTEGER, NAME TEXT, DATA BLOB);
        CREATE TABLE CHANNEL_USER(CHANNEL_ID TEXT, USER_ID TEXT, CHUNK_ID INTEGER);
        CREATE TABLE MESSAGE(ID INTEGER, CHUNK_ID INTEGER, CHANNEL_ID TEXT, DATA BLOB, PRIMARY KEY(ID, CHUNK_ID))`);
      const blob = (value: object) => Buffer.from(JSON.stringify(value));
      db.prepare("INSERT INTO S_USER VALUES('U70', 1, ?)").run(
        blob({ id: "U70", name: "ada", profile: { real_name: "Ada" } }),
      );
      db.prepare("INSERT INTO CHANNEL VALUES('C10', 2, 'kitchen', ?)").run(
        blob({ id: "C10", name: "kitchen" }),
      );
      db.exec("INSERT INTO CHANNEL_USER VALUES('C10', 'U70', 2)");
      const insert = db.prepare("INSERT INTO MESSAGE VALUES(?, ?, 'C10', ?)");
      const said = (ts: string, text: string, more = {}) =>
        blob({ type: "message", user: "U70", ts, text, ...more });
      insert.run(1_772_352_000_000_100n, 3, said("1772352000.000100", "an older copy"));
      insert.run(1_772_352_000_000_100n, 5, said("1772352000.000100", "rise *now*"));
      insert.run(
        1_772_352_060_000_200n,
        4,
        said("1772352060.000200", "rising", { thread_ts: "1772352000.000100" }),
      );
      insert.run(1_772_352_070_000_300n, 4, said("1772352070.000300", "done"));
      db.close();
      return place;
    },
    reader: "U70",
    channel: "messaging:C10",
    shown: [
      ["Ada", "rise **now**", "regular"],
      ["Ada", "done", "regular"],
    ],
  },
  zulip: {
    write: (place) => {
      mkdirSync(place);
      const write = (name: string, value: object) =>
        writeFileSync(path.join(place, name), JSON.stringify(value));
      write("realm.json", {
        zerver_realm: [{ id: 2, name: "Bakery" }],
        zerver_userprofile: [{ id: 70, full_name: "Ada", is_active: true, is_bot: false }],
        zerver_stream: [{ id: 21, name: "kitchen" }],
        zerver_recipient: [{ id: 33, type: 2, type_id: 21 }],
        zerver_subscription: [{ user_profile: 70, recipient: 33, active: true }],
        zerver_reaction: [
          {
            user_profile: 70,
            message: 501,
            emoji_name: "+1",
            emoji_code: "1f44d",
            reaction_type: "unicode_emoji",
          },
        ],
      });
      const said = (id: number, subject: string, content: string) => ({
        id,
        sender: 70,
        recipient: 33,
        subject,
        content,
        date_sent: 1_772_352_000.5 + id,
      });
      write("messages-000001.json", {
        zerver_message: [
          said(501, "rye", "rise **now**"),
          said(502, "rye", "rising"),
          said(503, "oats", "/poll Oats?\nyes"),
        ],
      });
      return place;
    },
    reader: "zulip-70",
    channel: "messaging:zulip-s21",
    shown: [
      ["Ada", "rise **now**", "regular"],
      ["Ada", "📊 **Oats?**\n- yes (0)", "regular"],
    ],
  },
};
