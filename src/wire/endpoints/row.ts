/** A row of the endpoint table: operation, method, path, repeatability, and the types of request and reply. */
import { id, text, shape, type Infer, type LazyShape, type Shape } from "../entities/fields.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface EndpointRow {
  /** Name in error messages and in rate limits: `<op> failed with error: …`. */
  readonly op: string;
  readonly method: Method;
  /** `/channels/{type}/{id}/message`: segments in braces are path parameters, percent-encoded. */
  readonly path: string;
  /** Changes nothing stored at the provider but subscriptions: allowed in a dry run, repeatable. */
  readonly safe: boolean;
  /** May be repeated after an unknown outcome: GET, PUT, DELETE, upserts (specification/wire.md §11). */
  readonly idempotent: boolean;
  /** The query travels as one `payload=` JSON value. */
  readonly payload?: true;
  readonly multipart?: true;
  /** Client-side calls are refused with code 17. */
  readonly serverOnly?: true;
  /** The message of that refusal; the client uses it, too, if it has no secret. */
  readonly serverOnlyMessage?: string;
  /** Needs neither token nor key. */
  readonly open?: true;
  /** The query, unless it travels as a payload; the body and the payload are described in `bodies/`. */
  readonly query?: Shape;
  /** The fields of a form beside its file. */
  readonly form?: Shape;
  /** The JSON of a 2xx, without `duration`; `{}` if absent. */
  readonly answer?: LazyShape;
  /**
   * Whose method and path this is, unless a public library or page of the v1 protocol names them: `ours`, or `v2`, which only the
   * other dialect has. A provider may lack the route, so the client has a way round it (tests/odd/ours-only.test.ts).
   */
  readonly source?: "ours" | "v2";
  /** Requests per minute of the app-wide limit (specification/errors.md §5). */
  readonly perMinute: number;
}

/** A row with the types of its path parameters, query, form and reply (types only, nothing at run time). */
export interface Endpoint<P = object, Q = object, F = undefined, R = object> extends EndpointRow {
  readonly types?: { path: P; query: Q; form: F; reply: R };
}

type Parameters<Route> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;
type Described<Options, Part extends string, Without> = Options extends {
  readonly [P in Part]: infer S extends Shape | LazyShape;
}
  ? Infer<S>
  : Without;

/** The path parameters are those of the route; the operation is the row's name unless another is given. */
export function row<const Route extends `${Method} /${string}`, Options extends Partial<EndpointRow>>(
  route: Route,
  options: Options = {} as Options,
): Endpoint<
  { [Name in Parameters<Route>]: string },
  Options extends { readonly payload: true } ? "payload" : Described<Options, "query", object>,
  Described<Options, "form", undefined>,
  Described<Options, "answer", object>
> {
  const [method, path] = route.split(" ") as [Method, string];
  const safe = options.safe ?? method === "GET";
  const idempotent = safe || method !== "POST";
  const answer = options.answer && shape(options.answer);
  return Object.assign(
    { op: "", method, path, perMinute: 300, idempotent },
    options,
    { safe },
    answer && { answer },
  );
}

/** `getChannel` of the table is the operation `GetChannel`. */
export function withOperations<T extends Readonly<Record<string, EndpointRow>>>(table: T): T {
  for (const [name, endpoint] of Object.entries(table))
    (endpoint as { op: string }).op ||= name[0]!.toUpperCase() + name.slice(1);
  return table;
}

export const actAs = { user_id: id() };

/** `next` and `prev` of a list with cursors. */
export const cursors = { next: text(), prev: text() };
