/** Reads and checks a campaign file: fields, audience and guards. */
import path from "node:path";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { CommandError, type FileReading } from "../../base/define-command.ts";
import { isFileName, SEND_MODES, type SendMode } from "../args/flow.ts";
import { isObject } from "../../../wire/json-object.ts";
import {
  requireNoProblems,
  readParsedFile,
  type InputFault,
  type FileForm,
  type FileProblem,
} from "../../base/files/parsed-file.ts";
import { CAMPAIGN_FILE, type AudienceInput, type GuardsInput } from "./shape.ts";
import { withHint } from "../../../model/errors.ts";

export interface CampaignFile {
  /** The name the user gave. */
  name: string;
  text: string;
  /** Who sends it, if the file says so. */
  mode?: SendMode;
  /** The fields for the provider; complete if there are no problems. */
  fields: CampaignInput;
  audience: AudienceInput;
  guards: GuardsInput;
  /** Nobody else of its audience gets it. */
  only?: ReadonlySet<string>;
  problems: FileProblem[];
}

const SOURCES = ["segment", "segments", "filter", "ids", "csv", "ndjson"] as const;

/** The key of the audience that is used; undefined for `user_ids` and `segment_ids` of the campaign. */
export const audienceKey = (audience: AudienceInput): (typeof SOURCES)[number] | undefined =>
  SOURCES.find((key) => audience[key] !== undefined);

/** Checks that concern several fields. */
function* checkCombinations(content: Record<string, unknown>): Iterable<InputFault> {
  const { id } = content;
  if (id === undefined || id === "")
    yield { path: ["id"], message: "is missing: every command calls it by its id" };
  const audience = isObject(content.audience) ? content.audience : {};
  const sources = SOURCES.filter((key) => audience[key] !== undefined);
  const directLists = ["user_ids", "segment_ids"].filter(
    (key) => (content[key] as unknown[] | undefined)?.length,
  );
  const all = [...sources.map((key) => `audience.${key}`), ...directLists];
  if (all.length === 0)
    yield { path: ["audience"], message: `has no source: give one of ${SOURCES.join(", ")}` };
  if (all.length > 1) yield { path: all[1]!.split("."), message: `and ${all[0]} cannot be combined` };
  if (content.create_channels === true && content.channel_template === undefined)
    yield { path: ["create_channels"], message: "needs a channel_template" };
  const template = isObject(content.channel_template) ? content.channel_template : {};
  if (template.members !== undefined && template.members_template !== undefined)
    yield { path: ["channel_template", "members"], message: "and members_template cannot be combined" };
}

const FORM: FileForm = { shape: CAMPAIGN_FILE, noun: "a campaign file", check: checkCombinations };

/** Resolves file names relative to the campaign file; for standard input, to the working directory. What is no text is among the problems. */
function resolveFiles(name: string, { ids, csv, ndjson, ...rest }: AudienceInput): AudienceInput {
  const from = (file: string): string =>
    file === "-" || name === "-" || typeof file !== "string" ? file : path.resolve(path.dirname(name), file);
  return {
    ...rest,
    ...(ids === undefined ? {} : { ids: from(ids) }),
    ...(csv === undefined ? {} : { csv: from(csv) }),
    ...(ndjson === undefined ? {} : { ndjson: from(ndjson) }),
  };
}

const isNotFound = (error: unknown): boolean => error instanceof CommandError && error.kind === "notFound";

/** Problems of the file are returned. Throws `CommandError` when it cannot be read. */
export async function readCampaignFile(call: FileReading, name: string): Promise<CampaignFile> {
  const { text, content, problems } = await readParsedFile(call, name, FORM).catch((error: unknown) => {
    throw isNotFound(error) && !isFileName(name)
      ? withHint(error, `This takes a file. Of a campaign at the provider: parley campaign get ${name}`)
      : error;
  });
  const { audience, guards, mode: word, ...fields } = content;
  const mode = SEND_MODES.find((one) => one === word);
  return {
    name,
    text,
    ...(mode === undefined ? {} : { mode }),
    fields: fields as unknown as CampaignInput,
    audience: resolveFiles(name, isObject(audience) ? audience : {}),
    guards: isObject(guards) ? guards : {},
    problems,
  };
}

/** Throws `CommandError` (rejected) for a file with problems. */
export function requireValidCampaign(file: CampaignFile): CampaignFile {
  requireNoProblems(file, `parley campaign check ${file.name} lists all of them`);
  return file;
}
