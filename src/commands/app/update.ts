/** Changes settings of the app: what is not named stays. */
import type { AppChanges } from "../../wire/app.ts";
import { command } from "../kit.ts";
import { readSettings } from "./input.ts";

export default command({
  summary: "Change settings of the app",
  examples: [
    "app update reminders_interval=600 multi_tenant_enabled=true",
    "app update image_upload_config.size_limit=5000000",
    "app update --file settings.json",
    "app update --reset webhook_url",
  ],
  args: {
    settings: {
      kind: "list",
      value: "name=value",
      place: "positional",
      optional: true,
      help: "Settings and their new values",
    },
    file: {
      kind: "file",
      short: "f",
      place: "flag",
      optional: true,
      help: "A JSON object of settings; - reads standard input",
    },
    reset: { kind: "list", place: "flag", optional: true, help: "Back to the default" },
  },
  needs: "secret",
  confirm: (args) => ({
    level: /(?:^|\s)(?:suspended|disable_\w+|revoke_\w+)=/.test((args.settings ?? []).join(" "))
      ? "moderate"
      : "mild",
    question: "Change the settings of the app?",
  }),
  async run(call) {
    const { args, core } = call;
    const now = async (): Promise<Record<string, unknown>> => (await core.call("getApp")).app;
    const body = await readSettings(
      call,
      { fields: args.settings ?? [], file: args.file, reset: args.reset ?? [] },
      now,
    );
    await core.call("updateApp", { body: body as AppChanges });
    return { changed: Object.keys(body) };
  },
  show: ({ changed }) => ({ kind: "line", text: `${changed.join(", ")} changed` }),
});
