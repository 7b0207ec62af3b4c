/** Errors about unknown users. */
import { CommandError } from "./define-command.ts";

export const userNotFound = (id: string, hint?: string): CommandError =>
  new CommandError("notFound", `There is no user ${id}.`, hint);

/** For ids typed by a person: hints at the list of users. */
export const noSuchUser = (id: string): CommandError => userNotFound(id, "parley user list");
