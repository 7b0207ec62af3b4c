/** A row of the endpoint table: operation, method, path, repeatability, and the types of request and reply. */
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
  /** Requests per minute of the app-wide limit (specification/errors.md §5). */
  readonly perMinute: number;
}

/** A row with the types of its path parameters, query, body and reply (types only, nothing at run time). */
export interface Endpoint<P = object, Q = object, B = undefined, R = object> extends EndpointRow {
  readonly types?: { path: P; query: Q; body: B; reply: R };
}

type Options = Partial<
  Pick<
    EndpointRow,
    | "op"
    | "safe"
    | "idempotent"
    | "payload"
    | "multipart"
    | "serverOnly"
    | "serverOnlyMessage"
    | "open"
    | "perMinute"
  >
>;

/** Reply, body, path and query are types only; the operation is the row's name unless another is given. */
export function row<R = object, B = undefined, P = object, Q = object>(
  route: `${Method} /${string}`,
  options: Options = {},
): Endpoint<P, Q, B, R> {
  const [method, path] = route.split(" ") as [Method, string];
  const safe = options.safe ?? method === "GET";
  return { op: "", method, path, perMinute: 300, idempotent: safe || method !== "POST", ...options, safe };
}

/** `getChannel` of the table is the operation `GetChannel`. */
export const withOperations = <T extends Readonly<Record<string, EndpointRow>>>(rows: T): T =>
  Object.fromEntries(
    Object.entries(rows).map(([name, endpoint]) => [
      name,
      { ...endpoint, op: endpoint.op || name[0]!.toUpperCase() + name.slice(1) },
    ]),
  ) as T;

export type ChannelPath = { type: string; id: string };

export type MessagePath = { id: string };

export type ActAs = { user_id?: string };
