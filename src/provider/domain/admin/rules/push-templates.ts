/** Routes of push templates: what each push provider is sent for each kind of event (specification/admin.md §6). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import { ofPushProvider } from "../../../../wire/endpoints/admin.ts";
import type { PushTemplate } from "../../../../wire/entities/push-provider.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import type { RowOf } from "../../../store/table.ts";
import { BodyReader } from "../../validation/check.ts";
import { pushTemplates, storedPushProviders } from "../storage/schema.ts";
import { unreadableTemplate } from "./push-template.ts";

const templateView = (row: RowOf<typeof pushTemplates>): PushTemplate => ({
  event_type: row.event_type,
  enable_push: row.enabled === 1,
  push_provider_internal_id: `${row.provider_type}/${row.provider_name}`,
  template: row.template,
  created_at: timeFromMicros(row.created_at),
  updated_at: timeFromMicros(row.updated_at),
});

/** The named push provider of the app, else its first of the type; code 4 without one. */
function providerName(
  db: Database,
  check: BodyReader,
  { type, name }: { type: string; name: string | undefined },
): string {
  const names = storedPushProviders.values(db, "name", { type }, { by: ["name"] });
  if (name !== undefined && !names.includes(name))
    check.fail("push_provider_name", `names ${name}, which is no push provider of the app`);
  else if (names.length === 0)
    check.fail("push_provider_type", `is ${type}, of which the app has no push provider`);
  check.done();
  return name ?? names[0]!;
}

export function getPushTemplates({ db, query }: RouteCall): Reply<"getPushTemplates"> {
  const check = new BodyReader(query);
  const { push_provider_type: type, push_provider_name: name } = check.read(ofPushProvider);
  check.done();
  const provider_name = providerName(db, check, { type, name });
  const of = { provider_type: type, provider_name };
  return { templates: pushTemplates.list(db, of, { by: ["event_type"] }).map(templateView) };
}

/** What the app has stored for an event at push providers of a type, in the order of their names; `name`: at this one only. */
export const templatesFor = (
  db: Database,
  event: string,
  { type, name }: { type: string; name: string | undefined },
): RowOf<typeof pushTemplates>[] =>
  pushTemplates.list(
    db,
    { provider_type: type, event_type: event, ...(name !== undefined && { provider_name: name }) },
    { by: ["provider_name"] },
  );

/** What is absent keeps its value, but for the template: without one the service's own is sent, as its documentation shows. */
export function upsertPushTemplate(call: RouteCall): Reply<"upsertPushTemplate"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const fields = check.read(adminBodies.upsertPushTemplate);
  const { push_provider_type: type, push_provider_name: name, event_type, template = "" } = fields;
  const mistake = unreadableTemplate(template);
  if (mistake !== undefined) check.fail("template", mistake);
  check.done();
  const key = { provider_type: type, provider_name: providerName(db, check, { type, name }), event_type };
  const before = pushTemplates.find(db, key);
  const now = call.now();
  const row = {
    ...key,
    enabled: Number(fields.enable_push ?? before?.enabled === 1),
    template,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  pushTemplates.put(db, row);
  return { template: templateView(row) };
}
