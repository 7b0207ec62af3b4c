/** Invites people to a channel: they are asked before they are in. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "Invite people to a channel",
  examples: ["channel invite messaging:ops ana bo"],
  args: {
    channel: { kind: "channel", place: "positional", here: true, help: "The channel" },
    users: { kind: "list", place: "positional", help: "The users" },
  },
  async run(call) {
    const { core } = call;
    const users = userIds(call.args.users);
    const path = pathOf(await cidOf(call, call.args.channel));
    let channel: object = {};
    for (let i = 0; i < users.length; i += MEMBERS_PER_CALL) {
      const part = users.slice(i, i + MEMBERS_PER_CALL);
      channel = (await core.call("updateChannel", { path, body: { invites: part } })).channel;
      call.progress(i + part.length, users.length, "invites");
    }
    return channel;
  },
});
