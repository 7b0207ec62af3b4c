/** Stores the template that a push provider is sent for an event and turns it on, or changes those of a file. */
import type { Core } from "../../../core/core.ts";
import { idOfSeveral } from "../../base/bulk/given-records.ts";
import {
  fromWhole,
  oneByOne,
  SET_FILE_ARGS,
  setFields,
  type Settable,
} from "../../base/bulk/set-from-file.ts";
import { CommandError, command, type Args, type Call } from "../../base/define-command.ts";
import { readTextFile } from "../../base/json.ts";
import { requireUsableTemplate } from "./check.ts";
import { allTemplates, TEMPLATE_ARGS, changeTemplate, templateView, type StoredTemplate } from "./stored.ts";

const ARGS = {
  type: { ...TEMPLATE_ARGS.type, orFile: true },
  name: { ...TEMPLATE_ARGS.name, orFile: true },
  event: { ...TEMPLATE_ARGS.event, orFile: true },
  default: { kind: "flag", help: "Use the service's own template again" },
  ...SET_FILE_ARGS,
  file: {
    ...SET_FILE_ARGS.file,
    help: "With an event: the template as JSON, in handlebars. Without: templates, as list prints them (CSV, NDJSON); - reads standard input",
  },
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

async function changeOne(call: SetCall): Promise<StoredTemplate> {
  const { file, default: isDefault, type, name, event } = call.args;
  if (type === undefined || name === undefined || event === undefined)
    throw new CommandError("usage", "A template is named by push service, push provider and event.");
  if (isDefault === (file !== undefined))
    throw new CommandError(
      "usage",
      isDefault ? "--file and --default cannot be combined." : "Nothing to store.",
      "Give --file with the template, or --default.",
    );
  const template = file === undefined ? "" : await readTextFile(call, file);
  if (!isDefault) requireUsableTemplate(template);
  return changeTemplate(call.core, { type, name, event }, { enable: true, template });
}

const ID = idOfSeveral("type", "name", "event_type");

const settableTemplates = (core: Core): Settable<StoredTemplate> => ({
  noun: "push template",
  form: {
    ...ID,
    known: ["type", "name", "event_type", "enable_push", "template"],
    texts: ["template"],
  },
  isSettable: (name) => name === "template" || name === "enable_push",
  ...fromWhole(
    () => Array.fromAsync(allTemplates(core)),
    (one) => ID.idOf({ ...one })!,
  ),
  ...oneByOne((_id, { set = {} }, { type, name, event }) => {
    const { template, enable_push: enable } = set as { template?: string; enable_push?: boolean };
    // An empty one is the service's own.
    if (template) requireUsableTemplate(template);
    return changeTemplate(
      core,
      { type, name, event },
      {
        ...(enable === undefined ? {} : { enable }),
        ...(template === undefined ? {} : { template }),
      },
    );
  }),
});

export default command({
  summary: "Store the push template of an event, and push that event",
  changes: "provider",
  examples: [
    "push template set firebase main message.new --file firebase.json",
    "push template set apn main message.new --default",
    "parley push template list --ndjson > t.ndjson; parley push template set --file t.ndjson",
  ],
  args: ARGS,
  needs: "secret",
  run(call): Promise<StoredTemplate> | AsyncIterable<StoredTemplate> {
    const { type, name, event } = call.args;
    if ([type, name, event].some((one) => one !== undefined)) return changeOne(call);
    return setFields(call, [], {}, settableTemplates(call.core));
  },
  show: templateView,
});
