/** Errors on the way to a provider, with kinds that the faces know. */

export const named = (name: string, kind: string, message: string): Error =>
  Object.assign(new Error(message), { name, kind });
/** The faces read kinds of refusals by name and kind; the words are made here. */
export const notFound = (message: string): Error => named("CommandError", "notFound", message);
export const notAllowed = (message: string): Error => named("CommandError", "notAllowed", message);

/** Exit code 4 with the way to sign in. */
export const signIn = (message: string): Error =>
  Object.assign(new Error(message), { name: "ExitError", exit: 4, hint: "parley login" });
