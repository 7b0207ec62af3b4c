/** Shows the settings of the app; secrets are blank. */
import { CommandError, command, fieldsView } from "../base/define-command.ts";
import { briefFields } from "./setting-changes.ts";

export default command({
  summary: "Show the settings of the app",
  changes: "nothing",
  examples: ["app get", "app get file_upload_config image_upload_config", "app get --json"],
  args: {
    settings: { kind: "list", positional: true, optional: true, help: "Only these settings" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { app } = await core.call("getApp");
    const names = args.settings;
    const unknown = names.find((name) => !Object.hasOwn(app, name));
    if (unknown !== undefined) throw new CommandError("notFound", `There is no setting ${unknown}.`);
    return names.length === 0 ? app : Object.fromEntries(names.map((name) => [name, app[name]]));
  },
  show: (app) => fieldsView(briefFields(app)),
});
