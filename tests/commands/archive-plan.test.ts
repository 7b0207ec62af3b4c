/** The dry run of an archive: how many channels and messages it would read, where that is known without reading them. */
import { expect, test } from "vitest";
import { plannedText, planArchive } from "../../src/commands/archive/plan.ts";
import type { ReadContext } from "../../src/commands/archive/read/requests.ts";
import type { ArchiveReadOptions } from "../../src/jobs/archive/meta.ts";
import type { Filter } from "../../src/wire/entities/query.ts";

type Counts = Readonly<Record<string, number | undefined>>;

/** The plan at a provider with these channels, of which `hidden` are hidden; the number of messages of each, where it counts them. */
function plan(
  counts: Counts,
  options: Partial<ArchiveReadOptions & { lookBack: number }> = {},
  hidden: readonly string[] = [],
) {
  const channels = Object.entries(counts).map(([id, message_count]) => ({
    channel: {
      id,
      cid: `messaging:${id}`,
      type: "messaging",
      created_at: "2026-01-01T00:00:00Z",
      message_count,
    },
  }));
  const call = async (name: string, { body }: { body: { filter_conditions: Filter; offset?: number } }) => {
    expect(name).toBe("queryChannels");
    const { cid, hidden: asked } = body.filter_conditions as { cid?: string; hidden?: boolean };
    const found = channels.filter(({ channel }) =>
      cid === undefined ? hidden.includes(channel.id) === (asked === true) : channel.cid === cid,
    );
    return { channels: body.offset ? [] : found };
  };
  const context = { core: { userId: "mira", call }, signal: new AbortController().signal, now: () => 0 };
  return planArchive({ ...context, showProgress() {} } as unknown as ReadContext, "kept", {
    channels: [],
    threads: true,
    attachments: "link",
    ...options,
  });
}
const [since, until] = ["2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z"];
const NAMED = ["messaging:ops", "messaging:tea"];

test.each([
  ["all", {}, "3 channels with 17 messages"],
  ["named ones", { channels: NAMED }, "2 channels with 12 messages"],
  ["a single one", { channels: NAMED.slice(1) }, "1 channel with 5 messages"],
])(
  "channels of which everything would be read are planned with their messages: %s",
  async (_, options, words) => {
    const made = await plan({ ops: 7, tea: 5, old: 5 }, options, ["old"]);
    expect(plannedText(made)).toBe(words);
    expect(made).toMatchObject({ archive: "kept", dry_run: true });
  },
);

test.each([
  ["from a time on", { since }],
  ["before a time", { until }],
  ["between two times", { since, until }],
  ["before a time, of named channels", { until, channels: NAMED }],
  ["from a time on, of named channels", { since, channels: NAMED }],
  ["an update, which reads back a while", { lookBack: 1_209_600_000 }],
  ["an update that reads nothing again", { lookBack: 0, channels: NAMED }],
])("what would be read in part is planned without a number of messages: %s", async (_, options) => {
  const made = await plan({ ops: 7, tea: 5 }, options);
  expect(made).not.toHaveProperty("messages");
  expect(plannedText(made)).toBe("2 channels, whose messages are not counted before they are read");
});

test.each([[[]], [NAMED]])(
  "one channel that the provider does not count leaves the number out (named: %j)",
  async (channels) => {
    expect(await plan({ ops: 7, tea: undefined }, { channels })).toEqual({
      archive: "kept",
      channels: 2,
      dry_run: true,
    });
    expect(await plan({ ops: 7, tea: 0 }, { channels })).toMatchObject({ channels: 2, messages: 7 });
  },
);
