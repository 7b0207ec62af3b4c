/** Sends a campaign to a few people as a marked test, and reports what each of them received. */
import { noSuchUser } from "../../base/user-not-found.ts";
import { isOver, type Campaign, type CampaignInput } from "../../../wire/entities/campaign.ts";
import { orUnknownOutcome } from "../../base/conflicts.ts";
import { CommandError, type Args, type CommandCall } from "../../base/define-command.ts";
import { pollUntil } from "../../base/poll-task.ts";
import { receptionOf } from "../receipts/received.ts";
import { withMarks } from "../receipts/marks.ts";
import { fetchUsers } from "../audience/people.ts";
import { requireValidCampaign, readCampaignFile } from "../file/read.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";

/** Marks the name and the messages of a test. */
const TEST_MARK = "[TEST]";

export interface TestResult {
  campaign: string;
  user: string;
  result: "received" | "missed";
  channel?: string;
  message?: string;
  text?: string;
}

type TestCall = Omit<CommandCall<Args>, "args">;

async function requireUsers(call: TestCall, ids: readonly string[]): Promise<void> {
  const found = await fetchUsers(call, ids);
  for (const id of ids) if (!found.has(id)) throw noSuchUser(id);
}

function testCampaign(fields: CampaignInput, id: string, ids: readonly string[]): CampaignInput {
  const { segment_ids: _segments, message_template: message, ...rest } = fields;
  return {
    ...rest,
    id,
    name: `${TEST_MARK} ${fields.name ?? fields.id ?? ""}`.slice(0, 255),
    message_template: { ...message, custom: { ...message.custom, test: TEST_MARK } },
    user_ids: [...ids],
  };
}

/** Throws `CommandError` (partial) when somebody received nothing. */
export async function* testRun(
  call: TestCall,
  { name, ids, within }: { name: string; ids: readonly string[]; within?: string | undefined },
): AsyncIterable<TestResult> {
  const { fields } = requireValidCampaign(await readCampaignFile(call, name));
  await requireUsers(call, ids);
  const id = `${fields.id}-test-${call.random().slice(0, 8)}`;
  const steps = new PlannedSteps(call.dry);
  await steps.take(() =>
    call.core.call("createCampaign", { body: withMarks(testCampaign(fields, id, ids)) }),
  );
  await steps.take(() =>
    orUnknownOutcome(
      call.core.call("startCampaign", { path: { id }, body: {} }),
      `parley campaign get ${id}`,
    ),
  );
  steps.end();
  const poll = async (): Promise<Campaign> =>
    (await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } })).campaign;
  const again = `parley campaign watch ${id}`;
  for await (const { status, stats } of pollUntil(call, { within, again }, poll, (now) => isOver(now.status)))
    call.progress(Math.round(stats.progress * 100), 100, status);
  yield* resultsOf(call, id, ids);
}

async function* resultsOf(call: TestCall, id: string, ids: readonly string[]): AsyncIterable<TestResult> {
  const { received: messages } = await receptionOf(call, id);
  const missed = ids.filter((user) => !messages.has(user));
  for (const user of ids) {
    const message = messages.get(user);
    yield message
      ? {
          campaign: id,
          user,
          result: "received",
          channel: message.cid,
          message: message.message,
          text: message.text,
        }
      : { campaign: id, user, result: "missed" };
  }
  if (missed.length > 0)
    throw new CommandError(
      "partial",
      `${missed.length} of ${ids.length} got no test: ${missed.join(", ")}.`,
      `parley campaign stats ${id}`,
    );
}
