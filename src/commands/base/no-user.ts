/** Says that nobody has an id. */
import { CommandError } from "./define-command.ts";

/** `hint`: where the id was typed, the list of those who are there helps. */
export const userNotFound = (id: string, hint?: string): CommandError =>
  new CommandError("notFound", `There is no user ${id}.`, hint);

/** For ids that were typed by hand. */
export const noSuchUser = (id: string): CommandError => userNotFound(id, "parley user list");
