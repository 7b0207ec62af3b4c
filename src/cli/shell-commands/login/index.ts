/** `parley login`: adds a profile with its token or secret. */
import { shellCommand } from "../../base/shell-command.ts";
import { LOGIN_ARGS } from "./args.ts";

export const login = shellCommand({
  summary: "Sign in: add a profile with its key and a token or secret",
  group: "Setup",
  examples: [
    "login work --key k3y --user ana",
    "login work --key k3y --user ana --with-token < token.txt",
    "login ops --key k3y --kind secret --secret-stdin < secret.txt",
  ],
  args: LOGIN_ARGS,
  load: () => import("./run.ts"),
});
