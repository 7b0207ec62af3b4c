/** What a person's data are: their votes wherever they voted, and the texts that are theirs. */
import { expect, test } from "vitest";
import { collectData, writtenTexts } from "../../src/commands/gdpr/collect.ts";
import type { Call, Args } from "../../src/commands/base/define-command.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import type { Poll, PollVote } from "../../src/wire/entities/poll.ts";
import type { User } from "../../src/wire/entities/user.ts";

const vote = (id: string, more: Partial<PollVote> = {}): PollVote =>
  ({ id, user_id: "ana", ...more }) as PollVote;
const poll = (id: string, more: Partial<Poll> = {}): Poll =>
  ({ id, name: id, options: [], own_votes: [], vote_count: 0, ...more }) as unknown as Poll;

/** The polls that the person sees, those that a server sees, and the votes of the person in each of the latter. */
async function votesAmong(seen: Poll[], all: Poll[], votes: Record<string, PollVote[]>): Promise<string[]> {
  const page = <T>(list: T[], { next = "0" }: { next?: string }): { items: T[]; next?: string } => {
    const at = Number(next);
    return { items: list.slice(at, at + 1), ...(at + 1 < list.length && { next: String(at + 1) }) };
  };
  const call = async (name: string, args: Record<string, never>): Promise<unknown> => {
    if (name === "exportUser") return { user: { id: "ana" }, messages: [], reactions: [] };
    if (name === "queryChannels") return { channels: [] };
    const { query, body, path } = args as unknown as {
      query: { user_id?: string };
      body: { next?: string; filter: unknown };
      path: { poll_id: string };
    };
    if (name === "queryPolls") {
      const { items, next } = page(query.user_id === "ana" ? seen : all, body);
      return { polls: items, next };
    }
    expect([name, body.filter]).toEqual(["queryPollVotes", { user_id: "ana" }]);
    const { items, next } = page(votes[path.poll_id] ?? [], body);
    return { votes: items, next };
  };
  const found = await collectData({ core: { call }, page: { limit: 10 } } as unknown as Call<Args>, "ana");
  expect(found.counts.votes).toBe(found.votes.length);
  return found.votes.map(({ id }) => id);
}

test("votes and answers are found in every poll, of those that the person still sees and of those of which they do not", async () => {
  const seen = [
    poll("nobody voted"),
    poll("own", { vote_count: 2, own_votes: [vote("v1"), vote("v2")] }),
    poll("answers alone", { answers_count: 1, own_votes: [vote("a1", { answer_text: "tea" })] }),
    poll("of others", { vote_count: 3 }),
  ];
  const left = [
    poll("left", { vote_count: 4 }),
    poll("left with answers", { answers_count: 2 }),
    poll("left without votes"),
  ];
  const votes = {
    own: [vote("v1"), vote("v2")],
    left: [vote("v3"), vote("v4")],
    "left with answers": [vote("a2", { answer_text: "milk" })],
    "left without votes": [vote("never asked for")],
  };
  expect(await votesAmong(seen, [...seen, ...left], votes)).toEqual(["v1", "v2", "a1", "v3", "v4", "a2"]);
});

test("texts of the person are those of messages, cards, custom fields, answers, and of the polls that they made", () => {
  const message = (more: object): Message => ({ id: "m", text: "", attachments: [], ...more }) as never;
  const made = (by: string): Poll =>
    poll(`poll of ${by}`, {
      created_by_id: by,
      description: `why, ${by}`,
      options: [{ id: "o", text: `option of ${by}` }],
    } as Partial<Poll>);
  const texts = writtenTexts({
    user: { id: "ana", name: "Ana", pets: { cats: ["Mia"], age: 3 } } as unknown as User,
    messages: [
      message({ text: "hello", custom_note: { deep: ["note"] } }),
      message({ poll: made("ana") }),
      message({ text: "look", poll: made("bo") }),
      message({
        attachments: [
          { text: "preview", og_scrape_url: "https://e.example" },
          {
            text: "card",
            pretext: "before",
            title: "file.png",
            fields: [{ title: "a", value: "b", short: true }],
          },
        ],
      }),
    ],
    votes: [vote("v1"), vote("a1", { answer_text: "answer" })],
  });
  expect(texts).toEqual([
    "Ana",
    "Mia",
    "answer",
    "hello",
    "note",
    "poll of ana",
    "why, ana",
    "option of ana",
    "look",
    "card",
    "before",
    "a",
    "b",
  ]);
});
