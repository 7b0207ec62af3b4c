/** Changes settings of the app: what is not named stays. */
import type { AppChanges } from "../../wire/app.ts";
import { CommandError, command } from "../base/define-command.ts";
import { needKnownFields } from "../base/known-fields.ts";
import { readSettings } from "./input.ts";

/** The provider takes what it does not know for nothing, so a slip of the finger is found here; a file may hold a whole answer. */
async function needKnown(words: readonly string[]): Promise<void> {
  const { appBodies } = await import("../../wire/bodies/app.ts");
  const rows: Record<string, { kind: string }> = appBodies.updateApp;
  for (const word of words) {
    const name = word.split(/[.=]/, 1)[0]!;
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row?.kind === "ignored") throw new CommandError("rejected", `${name} is read-only`);
    if (!row) throw new CommandError("rejected", `${name} is not a setting of the app`);
    // `a.b=1` as the object that it changes
    const parts = word.split("=", 1)[0]!.split(".");
    needKnownFields(
      appBodies.updateApp,
      parts.reduceRight<unknown>((part, key) => ({ [key]: part }), null) as object,
      SETTINGS,
    );
  }
}

const SETTINGS = "An app";

export default command({
  summary: "Update settings of the app",
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
    file: { kind: "file", short: "f", help: "File with a JSON object of settings; - reads standard input" },
    reset: { kind: "list", help: "Reset this setting to its default" },
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
    await needKnown([...(args.settings ?? []), ...(args.reset ?? [])]);
    const now = async (): Promise<Record<string, unknown>> => (await core.call("getApp")).app;
    const { appBodies } = await import("../../wire/bodies/app.ts");
    const body = await readSettings(
      call,
      { fields: args.settings ?? [], file: args.file, reset: args.reset ?? [] },
      now,
      (file) => needKnownFields(appBodies.updateApp, file, SETTINGS),
    );
    await core.call("updateApp", { body: body as AppChanges });
    return { changed: Object.keys(body) };
  },
  show: ({ changed }) => `${changed.join(", ")} changed`,
});
