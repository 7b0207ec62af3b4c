/** Prints shapes as TypeScript types, with what a type cannot say as comments. */
import { bodies, type BodyName } from "../../src/wire/bodies/index.ts";
import { acting } from "../../src/wire/bodies/frame.ts";
import type { Field, LazyShape, Shape } from "../../src/wire/entities/fields.ts";
import { EVENTS, type EventType } from "../../src/wire/events.ts";
import { SHAPES, shapeSources } from "./source.ts";

const named = new Map<string, Shape>();
for (const [file, names] of SHAPES) {
  const module = names.length > 0 ? ((await import(file)) as Record<string, Shape | LazyShape>) : {};
  for (const name of names) {
    const shape = module[name]!;
    named.set(name, typeof shape === "function" ? (shape as LazyShape)() : shape);
  }
}
const nameByShape = new Map([...named].map(([name, shape]) => [shape, name]));

const TYPES: Partial<Record<Field["kind"], string>> = {
  text: "string",
  id: "string",
  time: "string",
  flag: "boolean",
  whole: "number",
  number: "number",
  limit: "number",
  filter: "Filter",
  sort: "Sort",
};

/** The longest line of a type. */
const WIDTH = 100;

/** How the rows of an object are printed: with the bounds of their values, and with comments by key; either needs a line for each row. */
interface Style {
  readonly bounds?: boolean;
  readonly comments?: ReadonlyMap<string, string>;
  /** Keys that are printed elsewhere. */
  readonly without?: ReadonlySet<string>;
}

function typeOf(field: Field, indent: string, style: Style): string {
  const { kind, values, item: of, shape, entity, nulls, blanks, allowsId: idAlone } = field;
  const inner = of ? typeOf(of, indent, style) : "unknown";
  const type =
    field.type ??
    (entity &&
      [
        field.partial ? `Partial<${entity}>` : entity,
        ...(shape ? [typeText(shape, indent, style)] : []),
      ].join(" & ")) ??
    (values?.map((value) => JSON.stringify(value)).join(" | ") ||
      (kind === "list" ? `${/^(?:["\w.]+|\{[^]*\})$/.test(inner) ? inner : `(${inner})`}[]` : "") ||
      (kind === "map" ? `Record<string, ${inner}>` : "") ||
      (kind === "object" ? (style.bounds ? typeText : shapeText)(shape ?? {}, indent, style) : "") ||
      (TYPES[kind] ?? "unknown"));
  return [
    idAlone ? "string" : "",
    type,
    kind === "text" && values ? "string" : "",
    blanks && values ? '""' : "",
    nulls ? "null" : "",
  ]
    .filter(Boolean)
    .join(" | ");
}

/** The bounds that the type cannot express. */
function bounds({ kind, min, max, default: initial }: Field): string {
  const from = min !== undefined && Number.isFinite(min) && min !== Number.MIN_SAFE_INTEGER;
  const to = max !== undefined && Number.isFinite(max) && max !== Number.MAX_SAFE_INTEGER;
  if (kind === "limit") return `${initial} without, at most ${max}`;
  if (kind === "time") return "a date";
  if (kind === "text" && to) return `at most ${max} characters`;
  if ((kind === "list" || kind === "map") && to) return `at most ${max}`;
  if (kind === "whole" || kind === "number")
    return from && to ? `${min} to ${max}` : from ? `at least ${min}` : to ? `at most ${max}` : "";
  if (kind === "custom" && to) return `custom fields, together at most ${max} bytes`;
  return "";
}

/** The type of an object, without ignored keys; on one line if it fits and says nothing more. */
export function typeText(shape: Shape, indent = "", style: Style = { bounds: true }): string {
  const hasActingUser = shape.user_id === acting.user_id && shape.user === acting.user;
  const deeper = `${indent}  `;
  const { comments, without, ...inner } = style;
  const rows = Object.entries(shape)
    .filter(
      ([key, { kind }]) =>
        kind !== "ignored" && !without?.has(key) && !(hasActingUser && (key === "user" || key === "user_id")),
    )
    .map(([key, field]) => {
      const name = key === "*" ? "[custom: string]" : field.required ? key : `${key}?`;
      const boundsText = style.bounds ? bounds(field) : "";
      const comment = comments?.get(key);
      return `${comment ? `${comment}\n${deeper}` : ""}${name}: ${typeOf(field, deeper, inner)};${boundsText ? ` // ${boundsText}` : ""}`;
    });
  const line = `{ ${rows.join(" ").slice(0, -1)} }`;
  const object =
    rows.length === 0
      ? ""
      : style.bounds || comments || line.includes("\n") || indent.length + line.length > WIDTH
        ? `{\n${rows.map((row) => `${deeper}${row}\n`).join("")}${indent}}`
        : line;
  return [hasActingUser ? "Acting" : "", object].filter(Boolean).join(" & ") || "{}";
}

/** The name of a shape, or its rows. */
export const shapeText = (shape: Shape, indent = "", style: Style = {}): string =>
  nameByShape.get(shape) ?? typeText(shape, indent, style);

const sources = shapeSources();

/** The keys of an event, with their comments; `""` if it has none but those of every event. */
export function eventText(type: EventType): string {
  const { comments } = sources.get(`EVENTS.${type}`) ?? {};
  return Object.keys(EVENTS[type]).length > 0
    ? typeText(EVENTS[type], "", comments?.size ? { comments } : {})
    : "";
}

/** The types of all named shapes, by name. */
export function namedTypes(): [string, string][] {
  return [...named].map(([name, shape]) => {
    const { comments, base, own } = sources.get(name)!;
    const inherited = Object.keys(named.get(base ?? "") ?? {});
    const replaced = inherited.filter((key) => own.has(key)).map((key) => JSON.stringify(key));
    const from = replaced.length ? `Omit<${base}, ${replaced.join(" | ")}>` : base;
    const without = new Set(inherited.filter((key) => !own.has(key)));
    return [
      name,
      `interface ${name} ${from ? `extends ${from} ` : ""}${typeText(shape, "", { comments, without })}`,
    ];
  });
}

/** The body of an endpoint; undefined for one without rows. */
export const describedBody = (name: string): string | undefined =>
  Object.hasOwn(bodies, name) ? typeText(bodies[name as BodyName]) : undefined;
