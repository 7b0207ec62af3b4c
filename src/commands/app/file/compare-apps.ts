/** Compares two live apps: settings, roles, permissions, commands, blocklists, channel types, grants, push services and their templates. */
import type { Core } from "../../../core/core.ts";
import type { Fields } from "../../../wire/json-object.ts";
import { templatesOf } from "../../push/template/stored.ts";
import { changedParts, type ChangeKind } from "./changes.ts";
import { currentApp } from "./current.ts";
import { pushName } from "./shape.ts";

/** What is compared, by kind and name. */
type AppParts = Record<ChangeKind | "push template", Record<string, Fields>>;

export interface AppDifference {
  /** `push_config`, `channel type gaming polls`. */
  setting: string;
  /** Null: it is not set, or not there. */
  one: unknown;
  other: unknown;
}

/** A role has nothing but its name. */
const IS_THERE: Fields = {};

/** The grants of each role as a field of its own, since a list of one role differs, not the whole. */
const grantFields = (grants: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(grants).map(([role, list]) => [`grants of ${role}`, list]));

/** Reads an app as parts that can be compared. */
export async function appParts(core: Pick<Core, "call">): Promise<AppParts> {
  const { current } = await currentApp(core);
  const { push_providers: services } = await core.call("listPushProviders");
  const templates: Record<string, Fields> = {};
  for (const service of services)
    for (const { event_type: event, enable_push, template } of await templatesOf(
      core,
      service.type,
      service.name,
    ))
      templates[`${pushName(service)} ${event}`] = { enable_push, template };
  const { settings, roles, permissions, commands, blocklists, channel_types, grants, push_providers } =
    current as unknown as Record<string, Record<string, Fields>> & { roles: string[] };
  return {
    setting: { "": settings! },
    role: Object.fromEntries(roles.map((name) => [name, IS_THERE])),
    permission: permissions!,
    command: commands!,
    blocklist: blocklists!,
    "channel type": Object.fromEntries(
      Object.entries(channel_types!).map(([name, { grants: own, ...rest }]) => [
        name,
        { ...rest, ...grantFields(own as Fields) },
      ]),
    ),
    grants: { app: grantFields(grants!) },
    "push service": push_providers!,
    "push template": templates,
  };
}

/** All fields of both, so that one that only the other has is compared too. */
const filled = (fields: Fields, others: Fields): Fields => ({
  ...Object.fromEntries(Object.keys(others).map((key) => [key, null])),
  ...fields,
});

function* partDifferences(
  kind: keyof AppParts,
  name: string,
  one: Fields | undefined,
  other: Fields | undefined,
): Iterable<AppDifference> {
  const words = [kind === "setting" ? "" : kind, name];
  if (one === undefined || other === undefined) {
    const shown = (part: Fields | undefined): unknown => (part === IS_THERE ? true : (part ?? null));
    yield { setting: words.join(" "), one: shown(one), other: shown(other) };
    return;
  }
  const changes = changedParts({ kind: kind as ChangeKind, name }, filled(one, other), other, {});
  for (const { field, wanted, now } of changes)
    yield {
      setting: [...words, field!].filter(Boolean).join(" "),
      one: wanted ?? null,
      other: now ?? null,
    };
}

/** Secrets are not told apart: providers do not show them. */
export function* appDifferences(one: AppParts, other: AppParts): Iterable<AppDifference> {
  for (const kind of Object.keys(one) as (keyof AppParts)[])
    for (const name of [...new Set([...Object.keys(one[kind]), ...Object.keys(other[kind])])].toSorted())
      yield* partDifferences(kind, name, one[kind][name], other[kind][name]);
}
