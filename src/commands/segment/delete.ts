/** Deletes a segment; its users and channels stay. */
import { SEGMENT } from "./segment-arg.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** Id of a scheduled or running campaign that uses the segment. */
async function campaignUsing(call: Pick<Call<Args>, "core">, segment: string): Promise<string | undefined> {
  const { campaigns } = await call.core.call("queryCampaigns", {
    body: { filter: { status: { $in: ["scheduled", "in_progress"] } }, limit: 100 },
  });
  return campaigns.find(({ segment_ids: ids }) => ids?.includes(segment))?.id;
}

export default command({
  summary: "Delete a segment; its users are kept",
  changes: "provider",
  examples: ["segment delete testers", "segment delete testers --yes"],
  aliases: ["rm"],
  args: { segment: SEGMENT },
  needs: "secret",
  confirm: ({ segment }) => ({ level: "moderate", question: `Delete segment ${segment}?` }),
  async run(call) {
    const { segment } = call.args;
    await call.core.call("deleteSegment", { path: { id: segment } }).catch(async (error: unknown) => {
      const { name, code } = error as { name?: string; code?: unknown };
      const campaign =
        name === "ApiError" && code === INPUT_ERROR ? await campaignUsing(call, segment) : undefined;
      if (campaign === undefined) throw error;
      throw new CommandError(
        "conflict",
        `Campaign ${campaign} is using segment ${segment}.`,
        `parley campaign stop ${campaign}`,
      );
    });
    return { id: segment, deleted: true };
  },
  show: ({ id }) => `segment ${id} deleted`,
});
