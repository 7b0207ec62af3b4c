/** Errors of opening a provider; the screen and the command line recognize them by name and kind. */

export const commandError = (kind: string, message: string): Error =>
  Object.assign(new Error(message), { name: "CommandError", kind });
export const notFound = (message: string): Error => commandError("notFound", message);
export const notAllowed = (message: string): Error => commandError("notAllowed", message);

/** An error with exit code 4 and a hint to sign in. */
export const signInError = (message: string): Error =>
  Object.assign(new Error(message), { name: "ExitError", exit: 4, hint: "parley login" });
