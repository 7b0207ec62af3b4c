/** From which message `tail` continues after the connection broke. */
import { expect, test } from "vitest";
import { Follower } from "../../src/cli/shell-commands/tail/follower.ts";
import type { Core } from "../../src/core/core.ts";
import type { Message } from "../../src/wire/entities/message.ts";

const message = (id: string, second: number): Message =>
  ({
    id,
    cid: "messaging:ops",
    text: id,
    type: "regular",
    created_at: `2026-11-01T00:00:0${second}.000000Z`,
    user: { id: "ana" },
  }) as unknown as Message;

/** A follower on a provider with these messages; paging from an unknown message fails with `status`. */
function createFollower(messages: Message[], status: number) {
  const shown: string[] = [];
  const pages: object[] = [];
  const call = async (_name: string, { body }: { body: { messages: Record<string, unknown> } }) => {
    const page = body.messages;
    pages.push(page);
    const from = Object.entries(page).find(([key]) => key === "id_gt")?.[1];
    const at = messages.findIndex(({ id }) => id === from);
    if (from !== undefined && at < 0) throw Object.assign(new Error("refused"), { status });
    return { messages: messages.slice(at + 1) };
  };
  const core = { call, state: () => ({ channels: new Map() }) } as unknown as Core;
  const follower = new Follower(
    core,
    async ({ message: one }) => void shown.push((one as Message).id),
    false,
  );
  follower.follow("messaging:ops", "2026-11-01T00:00:00.000000Z");
  return { follower, shown, pages };
}

test.each([400, 404])(
  "if the last message was deleted and the provider answers %d, catching up continues by time",
  async (status) => {
    const messages = [message("one", 1), message("two", 2)];
    const { follower, shown, pages } = createFollower(messages, status);
    await follower.catchUp();
    messages.pop();
    messages.push(message("three", 3));
    await follower.catchUp();
    await follower.drained();
    expect(shown).toEqual(["one", "two", "three"]);
    expect(pages.at(-1)).toMatchObject({ created_at_after_or_equal: "2026-11-01T00:00:02.000000Z" });
  },
);

test("any other refusal ends catching up", async () => {
  const messages = [message("one", 1)];
  const { follower } = createFollower(messages, 403);
  await follower.catchUp();
  messages.pop();
  await expect(follower.catchUp()).rejects.toThrow("refused");
});

test("a break while catching up loses nothing: what arrives after it waits for the next catching up", async () => {
  const messages = [message("one", 1)];
  const { follower, shown } = createFollower(messages, 404);
  const first = follower.catchUp();
  follower.hold();
  const [two, three] = [message("two", 2), message("three", 3)];
  follower.event({ type: "message.new", cid: three.cid, created_at: three.created_at, message: three });
  await first;
  messages.push(two, three);
  await follower.catchUp();
  await follower.drained();
  expect(shown).toEqual(["one", "two", "three"]);
});

test.each([1, 2, 3])(
  "what waits for the catching up still waits after break %d, and is shown once and in order",
  async (breaks) => {
    const { follower, shown } = createFollower([message("one", 1)], 404);
    await follower.catchUp();
    const waiting = Array.from({ length: breaks }, (_, n) => message(`later${n}`, n + 2));
    for (const one of waiting) {
      follower.hold();
      follower.event({ type: "message.new", cid: one.cid, created_at: one.created_at, message: one });
    }
    await follower.drained();
    expect(shown).toEqual(["one"]);
    await follower.catchUp();
    await follower.drained();
    expect(shown).toEqual(["one", ...waiting.map(({ id }) => id)]);
  },
);
