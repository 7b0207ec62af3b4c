/** Errors on the way to a provider, with kinds that the faces know. */

/** The faces know refusals by name and kind; the words are made here. */
export const commandError = (kind: string, message: string): Error =>
  Object.assign(new Error(message), { name: "CommandError", kind });
export const notFound = (message: string): Error => commandError("notFound", message);
export const notAllowed = (message: string): Error => commandError("notAllowed", message);

/** Exit code 4 with the way to sign in. */
export const signIn = (message: string): Error =>
  Object.assign(new Error(message), { name: "ExitError", exit: 4, hint: "parley login" });
