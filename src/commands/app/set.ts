/** Changes the given settings of the app. */
import type { Core } from "../../core/core.ts";
import type { AppChanges } from "../../wire/entities/app.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command } from "../base/define-command.ts";
import { rejectUnknownFields } from "../base/known-fields.ts";
import { readSettingChanges } from "./setting-changes.ts";

type Settings = Record<string, unknown>;

/** Rejects unknown and read-only settings, which the provider would silently ignore. */
async function requireKnownSettings(words: readonly string[]): Promise<void> {
  const { appBodies } = await import("../../wire/bodies/app.ts");
  const rows: Record<string, { kind: string }> = appBodies.updateApp;
  for (const word of words) {
    const name = word.split(/[.=]/, 1)[0]!;
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row?.kind === "ignored") throw new CommandError("rejected", `${name} is read-only`);
    if (!row) throw new CommandError("rejected", `${name} is not a setting of the app`);
    // `a.b=1` as a nested object
    const parts = word.split("=", 1)[0]!.split(".");
    rejectUnknownFields(
      appBodies.updateApp,
      parts.reduceRight<unknown>((part, key) => ({ [key]: part }), null) as object,
      SETTINGS,
    );
  }
}

const SETTINGS = "An app";

/** Which settings changed; the value after a reset must be read from the provider. */
async function compareSettings(
  core: Pick<Core, "call">,
  before: Settings,
  body: Settings,
): Promise<Record<"changed" | "unchanged", string[]>> {
  const { changedParts } = await import("./file/changes.ts");
  const names = Object.keys(body);
  const resets = names.some((name) => body[name] === null);
  const after: Settings = resets ? { ...(await core.call("getApp")).app } : {};
  const wanted = Object.fromEntries(names.map((name) => [name, body[name] ?? after[name]]));
  const differ = new Set(
    changedParts({ kind: "setting", name: "app" }, wanted, before, { secrets: true }).map(
      ({ field }) => field,
    ),
  );
  return {
    changed: names.filter((name) => differ.has(name)),
    unchanged: names.filter((name) => !differ.has(name)),
  };
}

export default command({
  summary: "Change settings of the app",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "app set reminders_interval=600 multi_tenant_enabled=true",
    "app set image_upload_config.size_limit=5000000",
    "app set --file settings.json",
    "app set --reset webhook_url",
  ],
  args: {
    settings: { ...PAIRS, optional: true, help: "Settings and their new values" },
    file: { kind: "file", short: "f", help: "File with a JSON object of settings; - reads standard input" },
    reset: { kind: "list", help: "Reset this setting to its default" },
  },
  needs: "secret",
  confirm: (args) => ({
    level: /(?:^|\s)(?:suspended|disable_\w+|revoke_\w+)=/.test(args.settings.join(" "))
      ? "moderate"
      : "mild",
    question: "Change the settings of the app?",
  }),
  async run(call) {
    const { args, core } = call;
    await requireKnownSettings([...args.settings, ...args.reset]);
    let loaded: Promise<Settings> | undefined;
    const now = (): Promise<Settings> => (loaded ??= core.call("getApp").then(({ app }) => ({ ...app })));
    const { appBodies } = await import("../../wire/bodies/app.ts");
    const body = await readSettingChanges(
      call,
      { fields: args.settings, file: args.file, reset: args.reset },
      now,
      (file) => rejectUnknownFields(appBodies.updateApp, file, SETTINGS),
    );
    const before = await now();
    await core.call("updateApp", { body: body as AppChanges });
    return compareSettings(core, before, body);
  },
  show: ({ changed, unchanged }) =>
    [
      ...(changed.length > 0 ? [`${changed.join(", ")} changed`] : []),
      ...(unchanged.length > 0 ? [`${unchanged.join(", ")} unchanged`] : []),
    ].join("; "),
});
