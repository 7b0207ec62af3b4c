/** Removes push devices (specification/users.md §8). */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { command } from "../base/define-command.ts";
import { changeEach, describeNames, type NameReader } from "../base/bulk/names.ts";

const DEVICES: NameReader = {
  unit: "devices",
  fields: ["id", "device"],
  read: (text) => text,
  exists: async (core, id) =>
    (await core.call("listDevices", { query: {} })).devices.some((device) => device.id === id),
};

export default command({
  summary: "Remove push devices",
  changes: "provider",
  examples: ["device remove 9f2c41d0", "parley device list --ndjson | parley device remove --file - --yes"],
  aliases: ["rm"],
  args: {
    devices: {
      kind: "list",
      positional: true,
      optional: true,
      help: "The push tokens of the devices",
    },
    ...BULK_ARGS,
  },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${args.devices.length === 1 ? "device " : ""}${describeNames(args.devices, args, DEVICES.unit)}?`,
  }),
  run: (call) =>
    changeEach(call, {
      kind: DEVICES,
      names: call.args.devices,
      async send(id) {
        await call.core.call("deleteDevice", { query: { id } });
        return { device: id, removed: true };
      },
      result: "removed",
      gone: true,
    }),
  show: ({ device }) => `${device} removed`,
});
