/** Waits until a message in a channel matches, and prints it. */
import type { PageCall } from "../model/page-size.ts";
import { QUERY_MESSAGES_LIMIT } from "../wire/constants.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Message } from "../wire/entities/message.ts";
import { CommandError, command, type Args, type Call, type ArgValues } from "./base/define-command.ts";
import { pagesForward } from "./base/lists/paginate.ts";
import { readPattern } from "./base/pattern.ts";
import { cidOf, pathOf } from "./base/resolve-channel.ts";
import { GIVE_UP, waitForEvents, type NewEvents } from "./base/wait-for-events.ts";
import { userIds } from "./base/bulk/names.ts";

const WAIT_ARGS = {
  channel: { kind: "channel", positional: true, help: "The channel" },
  match: { kind: "text", value: "regexp", help: "Regular expression the text must match" },
  user: { kind: "list", value: "user", help: "Only messages by this user (repeatable)" },
  since: { kind: "time", help: "Also accept messages since this time" },
  within: GIVE_UP,
} as const satisfies Args;

/** The test for the awaited message. Throws `CommandError` (usage). */
function messageFilter({ match, user }: ArgValues<typeof WAIT_ARGS>): (message: Message) => boolean {
  const pattern = match === undefined ? undefined : readPattern(match, "--match");
  const people = new Set(userIds(user));
  return (message) =>
    (pattern?.test(message.text ?? "") ?? true) && (people.size === 0 || people.has(message.user.id));
}

/** Finds the first matching message: in the events, or, if some may be missing, among all messages since the last seen one. */
function finder(
  { core }: Pick<Call<Args>, "core">,
  cid: string,
  start: () => string,
  matches: (message: Message) => boolean,
): (news: NewEvents) => Promise<Message | undefined> {
  let since: string | undefined;
  const fetch = async (messages: object, once: PageCall): Promise<Message[]> =>
    (
      await core.call("queryChannel", {
        path: pathOf(cid),
        body: { state: true, watch: false, messages },
        ...once,
      })
    ).messages;
  return async ({ events, missed }) => {
    since ??= start();
    for (const { message } of events) {
      if (matches(message as Message)) return message as Message;
      // After a reconnect, messages are read from here on.
      if (!missed) since = (message as Message).created_at;
    }
    if (!missed) return undefined;
    const found = pagesForward(fetch, { limit: Infinity }, QUERY_MESSAGES_LIMIT[1], { since });
    for await (const message of found) {
      if (matches(message)) return message;
      since = message.created_at;
    }
    return undefined;
  };
}

export default command({
  summary: "Wait for a matching message in a channel and print it",
  group: "Scripts",
  changes: "nothing",
  examples: ["wait '#ops' --match 'deploy (done|failed)' --within 10m", "wait '#ops' --user ana --jq .text"],
  args: WAIT_ARGS,
  shellOnly: "waits for others",
  async run(call): Promise<Message> {
    const { args } = call;
    const startedAt = performance.now();
    const matches = messageFilter(args);
    const cid = await cidOf(call, args.channel);
    // By the provider's clock, which is known once connected: with this machine's, which may be wrong, old messages would match or new ones be skipped.
    const began = (): string =>
      args.since ?? new Date(call.core.providerNow() - (performance.now() - startedAt)).toISOString();
    const concerns = (event: AnyEvent): boolean => event.type === "message.new" && event.cid === cid;
    const found = await waitForEvents(
      call,
      cid,
      { within: args.within, concerns },
      finder(call, cid, began, matches),
    );
    if (found) return found;
    throw new CommandError("pending", "No matching message arrived.", `parley tail ${cid} --no-follow`);
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
