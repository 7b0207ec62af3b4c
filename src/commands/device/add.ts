/** Registers a push device (specification/users.md §8). */
import { PUSH_PROVIDER_TYPES } from "../../wire/entities/push-provider.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Register a push device",
  changes: "provider",
  examples: ["device add 9f2c41d0 --provider firebase", "device add 9f2c41d0 --provider apn --voip"],
  args: {
    device: { kind: "text", value: "token", positional: true, help: "The push token of the device" },
    provider: {
      kind: "choice",
      choices: PUSH_PROVIDER_TYPES,
      required: true,
      help: "The push service that reaches it",
    },
    providerName: { kind: "text", value: "name", help: "Name of the app's push provider" },
    hardware: { kind: "text", value: "id", help: "Id of the hardware" },
    voip: { kind: "flag", help: "The token is for calls (VoIP)" },
  },
  async run({ args, core }) {
    await core.call("createDevice", {
      body: {
        id: args.device,
        push_provider: args.provider as (typeof PUSH_PROVIDER_TYPES)[number],
        ...(args.providerName === undefined ? {} : { push_provider_name: args.providerName }),
        ...(args.hardware === undefined ? {} : { hardware_id: args.hardware }),
        ...(args.voip ? { voip_token: true } : {}),
      },
    });
    return { device: args.device, push_provider: args.provider };
  },
  show: ({ device }) => `${device} registered`,
});
