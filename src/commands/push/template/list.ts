/** Lists the push templates of the app: of which events each push provider is told, and whether with a template of the app. */
import { PUSH_PROVIDER_TYPES } from "../../../wire/entities/push-provider.ts";
import { command, rowOf } from "../../base/define-command.ts";
import { allTemplates } from "./stored.ts";

export default command({
  summary: "List the push templates that the app has stored",
  changes: "nothing",
  examples: ["push template list", "push template list --provider apn --jq .template"],
  aliases: ["ls"],
  args: {
    provider: { kind: "choice", choices: PUSH_PROVIDER_TYPES, help: "Only of this push service" },
    name: { kind: "text", value: "name", help: "Only of the push provider of this name" },
  },
  needs: "secret",
  async *run({ args, core }) {
    const wanted = ({ type, name }: { type: string; name: string }): boolean =>
      (args.provider ?? type) === type && (args.name ?? name) === name;
    for await (const { event: _, ...one } of allTemplates(core, wanted)) yield one;
  },
  show: (one) =>
    rowOf(one, {
      type: "type",
      name: "name",
      event: "event_type",
      pushed: "enable_push",
      template: {
        field: "template",
        cell: one.template ? one.template.replace(/\s+/g, " ") : "the service's",
      },
      changed: "updated_at",
    }),
});
