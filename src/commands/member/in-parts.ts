/** Changes of many members, as many at a time as a call takes. */
import type { UpdateChannelBody } from "../../wire/endpoints/index.ts";
import type { Args, CommandCall } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

/** The channel after the last part; how far it is goes to the caller. */
export async function inParts<A extends Args>(
  call: CommandCall<A>,
  channel: string,
  users: readonly string[],
  most: number,
  bodyOf: (part: string[]) => UpdateChannelBody,
): Promise<object> {
  const path = pathOf(await cidOf(call as never, channel));
  let after: object = {};
  for (let i = 0; i < users.length; i += most) {
    const part = users.slice(i, i + most);
    after = (await call.core.call("updateChannel", { path, body: bodyOf(part) })).channel;
    call.progress(i + part.length, users.length, "members");
  }
  return after;
}
