/** Lists the own push devices. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List your push devices",
  examples: ["device list", "device list --json=id,push_provider"],
  aliases: ["ls"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("listDevices", { query: {} })).devices;
  },
  show: (device) =>
    rowView(
      {
        device: device.id,
        provider: device.push_provider,
        name: device.push_provider_name,
        since: device.created_at,
      },
      { device: "id", provider: "push_provider", name: "push_provider_name", since: "created_at" },
    ),
});
