/** Creates a segment: a list, a filter, all users, or the sender's channels (SG-1). */
import { SEGMENT_TYPES, type SegmentType } from "../../wire/entities/segment.ts";
import { readFilter } from "../base/lists/filter.ts";
import { unlessTaken } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { segmentAsFields } from "./view.ts";

export default command({
  summary: "Create a segment",
  changes: "provider",
  examples: [
    "segment create user --id testers --name Testers",
    'segment create user --filter \'{"country":"de"}\'',
    "segment create channel --all-sender-channels",
  ],
  args: {
    type: { kind: "choice", choices: SEGMENT_TYPES, positional: true, help: "What it selects" },
    id: { kind: "text", value: "id", help: "Its id (default: chosen by the provider)" },
    name: { kind: "text", value: "name", help: "Its name" },
    description: { kind: "text", value: "text", help: "What it is for" },
    filter: { kind: "text", value: "json", help: "Filter as JSON; whoever matches is in the segment" },
    allUsers: { kind: "flag", help: "Select all users" },
    allSenderChannels: { kind: "flag", help: "Select every channel the sender is a member of" },
  },
  needs: "secret",
  async run(call) {
    const { type, id, name, description, filter, allUsers, allSenderChannels } = call.args;
    if ([filter !== undefined, allUsers, allSenderChannels].filter(Boolean).length > 1)
      throw new CommandError("usage", "--filter, --all-users and --all-sender-channels cannot be combined.");
    const request = call.core.call("createSegment", {
      body: {
        type: type as SegmentType,
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(filter === undefined ? {} : { filter: readFilter(filter) }),
        ...(allUsers ? { all_users: true } : {}),
        ...(allSenderChannels ? { all_sender_channels: true } : {}),
      },
    });
    if (id === undefined) return (await request).segment;
    const findExisting = (): Promise<unknown> => call.core.call("getSegment", { path: { id } });
    const message = `Segment ${id} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "parley segment set changes it." }))
      .segment;
  },
  show: segmentAsFields,
});
