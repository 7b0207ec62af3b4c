/** How `set --file` reads and writes channel types. */
import type { Core } from "../../core/core.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { NamedChannelType } from "../../wire/entities/channel-type.ts";
import { isObject } from "../../wire/json-object.ts";
import { setValue } from "../app/setting-changes.ts";
import type { PartialChange } from "../base/bulk/changed-fields.ts";
import { askForRights, fromWhole, oneByOne, type Settable } from "../base/bulk/set-from-file.ts";
import { settableIn } from "../base/known-fields.ts";

/** A list tells each command with its description; an update takes names. */
const commandNames = (commands: unknown): unknown =>
  Array.isArray(commands) ? commands.map((one: unknown) => (isObject(one) ? one.name : one)) : commands;

/** Dotted names change one part of the current value. */
function bodyOf({ set = {} }: PartialChange, now: object): BodyOf<"updateChannelType"> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(set)) setValue(body, { ...now }, name, value);
  return body;
}

export async function settableTypes({ call }: Pick<Core, "call">): Promise<Settable<NamedChannelType>> {
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  return {
    noun: "channel type",
    form: {
      ids: ["name", "type"],
      known: ["name", "commands", "uploads", "replies", "polls", "max_message_length"],
      texts: [
        "message_retention",
        "blocklist",
        "blocklist_behavior",
        "automod",
        "automod_behavior",
        "push_level",
      ],
      lists: ["commands"],
      readId: (text) => text,
      readValue: (name, value) => (name === "commands" ? commandNames(value) : value),
    },
    isSettable: settableIn(adminBodies.updateChannelType, "name"),
    ...askForRights(["grants"], "moderate"),
    ...fromWhole(
      async () =>
        Object.values((await call("listChannelTypes")).channel_types).map((type) => ({
          ...type,
          commands: commandNames(type.commands) as string[],
        })),
      ({ name }) => name,
    ),
    ...oneByOne(async (name, change, now) => {
      const body = bodyOf(change, now);
      const { duration: _, ...type } = await call("updateChannelType", { path: { name }, body });
      return type;
    }),
  };
}
