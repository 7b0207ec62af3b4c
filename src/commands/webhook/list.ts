/** Lists the hooks of the app by the events that they get. */
import { command, rowOf } from "../base/define-command.ts";
import { gets, hooksOf, type Hook } from "./hooks.ts";

interface Listed extends Omit<Hook, "events"> {
  event: string;
}

export default command({
  summary: "List the app's hooks by the events that they get",
  changes: "nothing",
  examples: ["webhook list", "webhook list message.new reaction.new", "webhook list --json=event,target"],
  aliases: ["ls"],
  args: {
    events: { kind: "list", positional: true, optional: true, help: "Only which hooks get these events" },
  },
  needs: "secret",
  async *run({ args, core }) {
    const hooks = hooksOf((await core.call("getApp")).app);
    const named = args.events.length > 0 ? args.events : undefined;
    const listed = new Set(hooks.flatMap(({ events }) => (events?.length === 0 ? [] : (events ?? []))));
    // First those that get everything, then event by event, then those that are called for none.
    if (named === undefined) for (const hook of hooks) if (hook.events?.length === 0) yield row("*", hook);
    for (const event of named ?? [...listed].toSorted())
      for (const hook of hooks)
        if (named ? gets(hook, event) : hook.events?.includes(event)) yield row(event, hook);
    if (named === undefined) for (const hook of hooks) if (hook.events === undefined) yield row("", hook);
  },
  show: (hook) =>
    rowOf(hook, {
      event: { field: "event", cell: hook.event === "*" ? "every event" : hook.event },
      kind: "kind",
      target: "target",
      enabled: "enabled",
      setting: "setting",
    }),
});

/** `event`: `*` for every one, empty for a hook that is called for none. */
const row = (event: string, { kind, target, enabled, setting }: Hook): Listed => ({
  event,
  kind,
  target,
  enabled,
  setting,
});
