/** Removes push devices (specification/users.md §8). */
import { command } from "../base/define-command.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Remove push devices",
  examples: ["device remove 9f2c41d0", "device remove 9f2c41d0 --yes"],
  aliases: ["rm"],
  args: { devices: { kind: "list", place: "positional", help: "The push tokens of the devices" } },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${args.devices.length === 1 ? "the device" : `${args.devices.length} devices`}?`,
  }),
  async *run({ args, core }) {
    const several = new Several();
    for (const id of args.devices)
      if (await several.try(id, () => core.call("deleteDevice", { query: { id } })))
        yield { device: id, removed: true };
    several.end();
  },
  show: ({ device }) => `${device} removed`,
});
