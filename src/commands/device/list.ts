/** Lists the push devices of the current user. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List your push devices",
  changes: "nothing",
  chatAlias: "devices",
  examples: ["device list", "device list --json=id,push_provider"],
  aliases: ["ls"],
  async *run({ core }) {
    yield* (await core.call("listDevices", { query: {} })).devices;
  },
  show: (device) =>
    rowOf(device, {
      device: "id",
      provider: "push_provider",
      name: "push_provider_name",
      since: "created_at",
    }),
});
