/** Push templates that the app has stored: which one, and changing it without losing its other half. */
import type { Core } from "../../../core/core.ts";
import {
  PUSHED_EVENTS,
  PUSH_PROVIDER_TYPES,
  type PushTemplate,
} from "../../../wire/entities/push-provider.ts";
import type { Args, ArgValues, View } from "../../base/define-command.ts";

export const TEMPLATE_ARGS = {
  type: { kind: "choice", choices: PUSH_PROVIDER_TYPES, positional: true, help: "The push service" },
  name: { kind: "text", positional: true, help: "The name of the push provider in the app" },
  event: { kind: "choice", choices: PUSHED_EVENTS, positional: true, help: "The event" },
} as const satisfies Args;

type TemplateArgs = ArgValues<typeof TEMPLATE_ARGS>;
type ProviderType = (typeof PUSH_PROVIDER_TYPES)[number];

/** The templates of one push provider. */
export const templatesOf = async (
  core: Pick<Core, "call">,
  type: string,
  name: string,
): Promise<PushTemplate[]> =>
  (
    await core.call("getPushTemplates", {
      query: { push_provider_type: type as ProviderType, push_provider_name: name },
    })
  ).templates;

/** A template and the push provider it is of. */
export type StoredTemplate = PushTemplate & TemplateArgs;

/** The templates of the push providers that are wanted. */
export async function* allTemplates(
  core: Pick<Core, "call">,
  isWanted: (provider: { type: string; name: string }) => boolean = () => true,
): AsyncIterable<StoredTemplate> {
  const { push_providers: all } = await core.call("listPushProviders");
  for (const { type, name } of all.filter(isWanted))
    for (const template of await templatesOf(core, type, name))
      yield { type, name, ...template, event: template.event_type };
}

/** Changes a template; what is not given stays. A request without a template asks for the service's own, so the stored one is read first. */
export async function changeTemplate(
  core: Core,
  { type, name, event }: TemplateArgs,
  change: { enable?: boolean; template?: string },
): Promise<StoredTemplate> {
  const before =
    change.enable !== undefined && change.template !== undefined
      ? undefined
      : (await templatesOf(core, type, name)).find((one) => one.event_type === event);
  const template = change.template ?? before?.template;
  const body = {
    event_type: event as PushTemplate["event_type"] as (typeof PUSHED_EVENTS)[number],
    push_provider_type: type as ProviderType,
    push_provider_name: name,
    enable_push: change.enable ?? before?.enable_push ?? true,
    ...(template ? { template } : {}),
  };
  const { template: after } = await core.call("upsertPushTemplate", { body });
  return { ...after, type, name, event };
}

export const templateView = ({ type, name, event, enable_push, template }: StoredTemplate): View => ({
  kind: "line",
  text: `${event} is ${enable_push ? "" : "not "}pushed through ${type} ${name}${enable_push ? ` with ${template ? "the app's template" : "the service's template"}` : ""}`,
});
