/** Checks a campaign file and shows who would receive it; nothing is sent. */
import { command } from "../base/define-command.ts";
import { CAMPAIGN_FILE_ARG, MODE_ARGS, modeOf } from "./args/flow.ts";
import type { CampaignCheck } from "./flow/check.ts";
import { checkError, checkView } from "./flow/check-view.ts";

export default command({
  summary: "Check a campaign file and its audience",
  changes: "nothing",
  examples: ["campaign check spring.yaml", "campaign check spring.yaml --json=errors,findings"],
  args: { file: CAMPAIGN_FILE_ARG, ...MODE_ARGS },
  needs: "secret",
  async run(call): Promise<CampaignCheck> {
    const { inspect } = await import("./flow/check.ts");
    const { readCampaignFile } = await import("./file/read.ts");
    const { file, mode, rate } = call.args;
    const read = await readCampaignFile(call, file);
    const options = { mode: modeOf(read, mode), at: call.now(), ...(rate === undefined ? {} : { rate }) };
    return (await inspect(call, read, options)).checked;
  },
  show: checkView,
  fault: checkError,
});
