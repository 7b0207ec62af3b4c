/** `parley whoami`: profile, user, way of signing in and the provider's address; no request is sent. */
import { openResults } from "../output/results.ts";
import type { OwnRun } from "./kit.ts";

const whoami: OwnRun = async (shell) => {
  const identity = await shell.host.identity();
  const results = openResults(shell, false);
  await results.item(identity, { kind: "fields", fields: Object.entries(identity) });
  await results.end();
  return 0;
};
export default whoami;
