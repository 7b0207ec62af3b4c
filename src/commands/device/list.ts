/** Lists the own push devices. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List your push devices",
  examples: ["device list"],
  aliases: ["ls"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("listDevices", { query: {} })).devices;
  },
  show: (device) => ({
    kind: "table",
    columns: ["device", "provider", "name", "since"],
    rows: [[device.id, device.push_provider, device.push_provider_name, device.created_at]],
  }),
});
