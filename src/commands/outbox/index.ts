/** The commands on what waits to be sent, by their full names. */
import drop from "./drop.ts";
import list from "./list.ts";
import retry from "./retry.ts";

export const outboxCommands = {
  "outbox list": list,
  "outbox retry": retry,
  "outbox drop": drop,
};
