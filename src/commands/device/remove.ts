/** Removes push devices (specification/users.md §8). */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Remove push devices",
  examples: ["device remove 9f2c…"],
  aliases: ["rm"],
  args: { devices: { kind: "list", place: "positional", help: "The push tokens of the devices" } },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${args.devices.length === 1 ? "the device" : `${args.devices.length} devices`}?`,
  }),
  async *run({ args, core }) {
    for (const id of args.devices) {
      await core.call("deleteDevice", { query: { id } });
      yield { device: id, removed: true };
    }
  },
  show: ({ device }) => `${device} removed`,
});
