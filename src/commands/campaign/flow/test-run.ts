/** Sends a campaign to a few people as a marked test, and reports what each of them received. */
import { noSuchUser } from "../../base/user-not-found.ts";
import { isOver, type Campaign } from "../../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { orUnknownOutcome } from "../../base/conflicts.ts";
import { CommandError, type Args, type Call } from "../../base/define-command.ts";
import { pollUntil } from "../../base/poll-task.ts";
import { receptionOf } from "../receipts/received.ts";
import { withMarks } from "../receipts/marks.ts";
import { fetchUsers } from "../audience/people.ts";
import { modeOf } from "../args/flow.ts";
import { objectsFor, renderFor } from "../audience/render.ts";
import { requireValidCampaign, readCampaignFile, type CampaignFile } from "../file/read.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";
import { samplePeople } from "./preview.ts";
import { planOne, sendOne } from "./send-one.ts";
import { Throttle } from "./throttle.ts";

/** Marks the name and the messages of a test. */
const TEST_MARK = "[TEST]";

const TESTS_PER_SECOND = 10;

export interface TestResult {
  campaign: string;
  user: string;
  result: "received" | "missed";
  channel?: string;
  message?: string;
  text?: string;
}

type TestCall = Omit<Call<Args>, "args">;

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

interface TestOptions {
  name: string;
  ids: readonly string[];
  mode?: string | undefined;
  within?: string | undefined;
}

/** Sends the test in the way in which the campaign will be sent. Throws `CommandError` (partial) when somebody received nothing. */
export async function* testRun(call: TestCall, options: TestOptions): AsyncIterable<TestResult> {
  const file = requireValidCampaign(await readCampaignFile(call, options.name));
  const mode = modeOf(file, options.mode);
  const id = `${file.fields.id}-test-${call.random().slice(0, 8)}`;
  yield* mode === "messages"
    ? testByMessage(call, file, id, options)
    : testByCampaign(call, file, id, options);
}

/** One message from this program to each person, with the columns of their record. */
async function* testByMessage(
  call: TestCall,
  file: CampaignFile,
  id: string,
  { ids }: TestOptions,
): AsyncIterable<TestResult> {
  const { sender, people } = await samplePeople(call, file, "messages", { users: ids, samples: 0 });
  const fields = { ...testCampaign(file.fields, id, []), id };
  const sending = { call, fields, sender, throttle: new Throttle(TESTS_PER_SECOND), salt: undefined };
  const steps = new PlannedSteps(call.dry);
  if (call.dry) for (const person of people) await planOne(steps, sending, person);
  steps.end();
  for (const [n, person] of people.entries()) {
    const { message, cid: channel } = await sendOne(sending, person);
    call.progress(n + 1, people.length, "messages");
    const { text } = renderFor(fields, objectsFor(sender, person));
    yield { campaign: id, user: person.id, result: "received", channel, message, text };
  }
}

async function* testByCampaign(
  call: TestCall,
  { fields }: CampaignFile,
  id: string,
  { ids, within }: TestOptions,
): AsyncIterable<TestResult> {
  await requireUsers(call, ids);
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
