/** Reads a campaign file: its fields, its audience, its guards, and every fault with the place where it stands. */
import path from "node:path";
import type { CampaignInput } from "../../../wire/campaign.ts";
import { CommandError } from "../../base/define-command.ts";
import type { Args, CommandCall } from "../../base/define-command.ts";
import { isObject, loadYaml, NO_ALIASES, readTextFile } from "../../base/json.ts";
import { strayFields } from "../../base/known-fields.ts";
import { CAMPAIGN_FILE } from "./shape.ts";
import type { AudienceInput, GuardsInput } from "./shape.ts";
import { valueFaults } from "./values.ts";

interface Problem {
  /** Counted from 1. */
  line: number;
  column: number;
  message: string;
}

export interface CampaignFile {
  /** As it was named. */
  name: string;
  text: string;
  /** What the provider is given, audience and guards left out; whole when there is no problem. */
  fields: CampaignInput;
  audience: AudienceInput;
  guards: GuardsInput;
  problems: Problem[];
}

/** A place in a campaign file as YAML finds it. */
interface Places {
  at(path: readonly (string | number)[]): { line: number; column: number };
}

const SOURCES = ["segment", "segments", "filter", "ids", "csv", "ndjson"] as const;

/** Which key of the audience is the source; undefined when the campaign's own `user_ids` or `segment_ids` are. */
export const sourceOf = (audience: AudienceInput): (typeof SOURCES)[number] | undefined =>
  SOURCES.find((key) => audience[key] !== undefined);

/** What no single value tells. */
function* together(given: Record<string, unknown>): Iterable<{ path: string[]; message: string }> {
  const audience = isObject(given.audience) ? given.audience : {};
  const named = SOURCES.filter((key) => audience[key] !== undefined);
  const own = ["user_ids", "segment_ids"].filter((key) => (given[key] as unknown[] | undefined)?.length);
  const all = [...named.map((key) => `audience.${key}`), ...own];
  if (all.length === 0)
    yield { path: ["audience"], message: `names nobody: give one of ${SOURCES.join(", ")}` };
  if (all.length > 1) yield { path: all[1]!.split("."), message: `and ${all[0]} exclude each other` };
  if (given.create_channels === true && given.channel_template === undefined)
    yield { path: ["create_channels"], message: "needs a channel_template" };
  const template = isObject(given.channel_template) ? given.channel_template : {};
  if (template.members !== undefined && template.members_template !== undefined)
    yield { path: ["channel_template", "members"], message: "and members_template exclude each other" };
}

function problemsOf(given: Record<string, unknown>, places: Places): Problem[] {
  const say = (at: readonly (string | number)[], message: string): Problem => ({
    ...places.at(at),
    message: `${at.join(".")} ${message}`,
  });
  const { id } = given;
  return [
    ...strayFields(CAMPAIGN_FILE, given).map(({ path, hint }) => ({
      ...places.at(path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step))),
      message: `${path} is no key of a campaign file: ${hint.slice(0, 1).toLowerCase()}${hint.slice(1).replace(/\.$/, "")}`,
    })),
    ...[...valueFaults(CAMPAIGN_FILE, given)].map((fault) => say(fault.path, fault.says)),
    ...(id === undefined || id === "" ? [say(["id"], "is missing: every command calls it by its id")] : []),
    ...[...together(given)].map((fault) => say(fault.path, fault.message)),
  ].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** The file's own folder, from which it names other files; those of standard input are named from here. */
function inFolderOf(name: string, { ids, csv, ndjson, ...rest }: AudienceInput): AudienceInput {
  const from = (file: string): string =>
    file === "-" || name === "-" ? file : path.resolve(path.dirname(name), file);
  return {
    ...rest,
    ...(ids === undefined ? {} : { ids: from(ids) }),
    ...(csv === undefined ? {} : { csv: from(csv) }),
    ...(ndjson === undefined ? {} : { ndjson: from(ndjson) }),
  };
}

/** Every problem of the file stands in `problems`. Throws `CommandError` where there is no file. */
export async function readCampaignFile(
  call: Pick<CommandCall<Args>, "input">,
  name: string,
): Promise<CampaignFile> {
  const text = await readTextFile(call, name);
  const { LineCounter, parseDocument } = await loadYaml();
  const lines = new LineCounter();
  const whole = parseDocument(text, { lineCounter: lines });
  const placed = (at: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const broken = whole.errors.map(({ pos, message }) => ({
    ...placed(pos[0]),
    message: message.split(/ at line|\n/)[0]!,
  }));
  const value: unknown = broken.length > 0 ? undefined : objectIn(() => whole.toJS(NO_ALIASES), broken);
  const given = isObject(value) ? value : {};
  const at = (steps: readonly (string | number)[]): { line: number; column: number } => {
    for (let n = steps.length; n > 0; n--) {
      const range = rangeOf(whole.getIn(steps.slice(0, n - 1), true), steps[n - 1]!);
      if (range) return placed(range[0]);
    }
    return { line: 1, column: 1 };
  };
  const { audience, guards, ...fields } = given;
  return {
    name,
    text,
    fields: fields as unknown as CampaignInput,
    audience: inFolderOf(name, isObject(audience) ? audience : {}),
    guards: isObject(guards) ? guards : {},
    problems: broken.length > 0 ? broken : problemsOf(given, { at }),
  };
}

/** Where a key stands in its map, or an entry in its list. */
function rangeOf(node: unknown, step: string | number): readonly [number, ...number[]] | undefined {
  type Node = { range?: [number, number, number]; value?: unknown };
  const { items = [] } = (node ?? {}) as { items?: (Node & { key?: Node })[] };
  return typeof step === "number"
    ? items[step]?.range
    : items.find(({ key }) => key?.value === step)?.key?.range;
}

function objectIn(read: () => unknown, broken: Problem[]): unknown {
  try {
    const value = read();
    if (isObject(value)) return value;
    broken.push({ line: 1, column: 1, message: "it holds no object" });
  } catch {
    broken.push({ line: 1, column: 1, message: "it repeats parts by aliases, which are not followed" });
  }
  return undefined;
}

/** A problem as one line. */
export const problemText = ({ name }: CampaignFile, { line, column, message }: Problem): string =>
  `${name}:${line}:${column} ${message}`;

/** Throws `CommandError` (rejected) for a file with problems. */
export function needGoodFile(file: CampaignFile): CampaignFile {
  const [first, ...more] = file.problems;
  if (first === undefined) return file;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new CommandError(
    "rejected",
    `${problemText(file, first)}${others}.`,
    `parley campaign check ${file.name} tells all of them`,
  );
}
