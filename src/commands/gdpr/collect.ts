/** Collects a person's data at the provider as files: profile, messages, reactions, votes and channels. */
import { POLLS_LIMIT } from "../../wire/constants.ts";
import { customOf } from "../../wire/custom.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { PollVote } from "../../wire/entities/poll.ts";
import type { User } from "../../wire/entities/user.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { listChannels } from "../base/lists/channels.ts";
import type { Args, Call } from "../base/define-command.ts";
import { sha256, type Proof } from "./proof.ts";
import { itemName } from "../../wire/reading.ts";

export interface DataFile {
  name: string;
  text: string;
}

export interface CollectedData {
  counts: Proof["counts"];
  files: DataFile[];
  user: User;
  messages: Message[];
  votes: PollVote[];
  cids: string[];
}

const toLines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");

async function channelsOf({ core, page }: Pick<Call<Args>, "core" | "page">, user: string) {
  const found: { cid: string; name: string | undefined; created_at: string }[] = [];
  const selection = { filter: { members: { $in: [user] } }, created: "oldest" } as const;
  const all = listChannels({ ...page, limit: Infinity }, selection, async (query, once) => {
    const body = { ...query, state: false, watch: false };
    return (await core.call("queryChannels", { body, ...once })).channels;
  });
  for await (const { channel } of all)
    found.push({ cid: channel.cid, name: channel.name, created_at: channel.created_at });
  return found;
}

/** Votes and answers of a person, those in polls of others and in channels they have left included. */
async function votesOf({ core }: Pick<Call<Args>, "core">, user: string): Promise<PollVote[]> {
  const found = new Map<string, PollVote>();
  const seen = new Set<string>();
  const all = { limit: Infinity };
  // As that person, for anonymous polls name a voter to nobody else; then the polls that the person does not see any more.
  for (const asUser of [true, false]) {
    const query = asUser ? { user_id: user } : {};
    const polls = byCursor(all, POLLS_LIMIT[1], itemName("polls"), async (page, once) => {
      const { polls: items, next } = await core.call("queryPolls", {
        query,
        body: { filter: {}, ...page },
        ...once,
      });
      return { items, next };
    });
    for await (const { id, own_votes: own, vote_count: votes, answers_count: answers = 0 } of polls) {
      if (seen.has(id) || votes + answers === 0) continue;
      if (asUser) seen.add(id);
      const listed = asUser ? own : await votesIn(core, id, user);
      for (const vote of listed) found.set(vote.id, vote);
    }
  }
  return [...found.values()];
}

async function votesIn(core: Call<Args>["core"], poll: string, user: string): Promise<PollVote[]> {
  const votes: PollVote[] = [];
  const path = { poll_id: poll };
  const list = byCursor({ limit: Infinity }, POLLS_LIMIT[1], itemName("votes"), async (page, once) => {
    const body = { filter: { user_id: user }, ...page };
    const { votes: items, next } = await core.call("queryPollVotes", { path, query: {}, body, ...once });
    return { items, next };
  });
  for await (const vote of list) votes.push(vote);
  return votes;
}

/** Rejects with the provider's 404 for an unknown user. */
export async function collectData(
  call: Pick<Call<Args>, "core" | "page">,
  id: string,
): Promise<CollectedData> {
  const { user, messages, reactions } = await call.core.call("exportUser", { path: { id } });
  const channels = await channelsOf(call, id);
  const votes = await votesOf(call, id);
  return {
    counts: {
      messages: messages.length,
      attachments: messages.reduce((sum, { attachments }) => sum + (attachments?.length ?? 0), 0),
      reactions: reactions.length,
      votes: votes.length,
      channels: channels.length,
    },
    files: [
      { name: "user.json", text: `${JSON.stringify(user, null, 2)}\n` },
      { name: "messages.ndjson", text: toLines(messages) },
      { name: "reactions.ndjson", text: toLines(reactions) },
      { name: "votes.ndjson", text: toLines(votes) },
      { name: "channels.ndjson", text: toLines(channels) },
    ],
    user,
    messages,
    votes,
    cids: channels.map(({ cid }) => cid),
  };
}

/** What the person wrote: texts of messages, cards, polls and answers, and their profile; without what identifies or describes. */
export function writtenTexts({
  user,
  messages,
  votes,
}: Pick<CollectedData, "user" | "messages" | "votes">): string[] {
  const texts = [
    user.name ?? "",
    ...stringsIn(customOf("user", user)),
    ...votes.map((vote) => vote.answer_text ?? ""),
  ];
  for (const message of messages) {
    texts.push(message.text ?? "", ...stringsIn(customOf("message", message)));
    // A link preview and the name of a file are nobody's text.
    for (const { text, pretext, fields, og_scrape_url: preview } of message.attachments ?? [])
      if (preview === undefined)
        texts.push(...stringsIn([text, pretext, fields?.map(({ title, value }) => [title, value])]));
    const { poll } = message;
    if (poll?.created_by_id === user.id)
      texts.push(poll.name, poll.description ?? "", ...poll.options.map((option) => option.text));
  }
  return texts.filter((text) => text !== "");
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** The entries of a proof. */
export const hashesOf = (files: readonly DataFile[]): Proof["files"] =>
  files.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
