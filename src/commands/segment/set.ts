/** Changes name, description or filter of a segment, or of those of a file. */
import type { Core } from "../../core/core.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { Segment } from "../../wire/entities/segment.ts";
import {
  oneAtATime,
  oneByOne,
  SET_FILE_ARGS,
  setOneOrFile,
  type Settable,
} from "../base/bulk/set-from-file.ts";
import { CommandError, command, type Args, type ArgValues } from "../base/define-command.ts";
import { settableIn } from "../base/known-fields.ts";
import { readFilter } from "../base/lists/filter.ts";
import { SEGMENT } from "./segment-arg.ts";
import { segmentAsFields } from "./view.ts";

const ARGS = {
  segment: { ...SEGMENT, orFile: true },
  name: { kind: "text", value: "name", help: "Its name" },
  description: { kind: "text", value: "text", help: "What it is for" },
  filter: { kind: "text", value: "json", help: "Filter as JSON; whoever matches is in the segment" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

type Caller = Pick<Core, "call">;

const fieldsOf = ({ name, description, filter }: ArgValues<typeof ARGS>): BodyOf<"updateSegment"> => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(filter === undefined ? {} : { filter: readFilter(filter) }),
});

const update = async (core: Caller, id: string, body: BodyOf<"updateSegment">): Promise<Segment> =>
  (await core.call("updateSegment", { path: { id }, body })).segment;

async function changeOne(core: Caller, id: string, body: BodyOf<"updateSegment">): Promise<Segment> {
  if (Object.keys(body).length === 0)
    throw new CommandError("usage", "Nothing is changed: add --name, --description or --filter.");
  return update(core, id, body);
}

async function settableSegments(core: Caller): Promise<Settable<Segment>> {
  const { campaignBodies } = await import("../../wire/bodies/campaigns.ts");
  return {
    noun: "segment",
    form: {
      ids: ["id", "segment"],
      known: ["id", "name", "description", "filter"],
      texts: ["name", "description"],
      readId: (text) => text,
    },
    isSettable: settableIn(campaignBodies.updateSegment),
    // Their list takes no filter for several ids.
    ...oneAtATime(async (id) => (await core.call("getSegment", { path: { id } })).segment),
    ...oneByOne((id, { set = {} }) => update(core, id, set)),
  };
}

export default command({
  summary: "Change fields of a segment",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "segment set testers --name 'First testers'",
    "segment set testers --description 'Those who try it first'",
    "parley segment list --all --csv > segments.csv; parley segment set --file segments.csv",
  ],
  args: ARGS,
  needs: "secret",
  run(call) {
    const { args, core } = call;
    const set = fieldsOf(args);
    const one = (id: string): Promise<Segment> => changeOne(core, id, set);
    return setOneOrFile(call, { name: args.segment, one, asked: { set }, of: () => settableSegments(core) });
  },
  show: segmentAsFields,
});
