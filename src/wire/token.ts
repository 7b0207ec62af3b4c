/** Tokens of the protocol: HS256 JSON Web Tokens, signed, read and verified without a library (specification/auth.md §2). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { parseObject } from "./json-object.ts";

export interface TokenClaims {
  /** Present in user tokens, absent in server tokens. */
  user_id?: string;
  /** Unix seconds. */
  exp?: number;
  iat?: number;
  nbf?: number;
  server?: boolean | "true";
  [claim: string]: unknown;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const HEADER = encode({ alg: "HS256", typ: "JWT" });

export function signToken(claims: TokenClaims, secret: string): string {
  const signedPart = `${HEADER}.${encode(claims)}`;
  return `${signedPart}.${createHmac("sha256", secret).update(signedPart).digest("base64url")}`;
}

/** The message for a text that `readToken` cannot parse. */
export const NOT_A_TOKEN = "That is not a token: it must have three parts with dots between.";

/** Header and claims without checking the signature; undefined if the text is not a token. */
export function readToken(
  token: string,
): { header: Record<string, unknown>; claims: TokenClaims } | undefined {
  const parts = token.split(".");
  if (parts.length !== 3 || token.length > 16 * 1024) return undefined;
  const [header, claims] = parts
    .slice(0, 2)
    .map((part) => parseObject(Buffer.from(part, "base64url").toString()));
  return header && claims && { header, claims: claims as TokenClaims };
}

/** Constant-time check of the HS256 signature; any other `alg` is refused. */
export function verifyToken(token: string, secret: string): boolean {
  const parsed = readToken(token);
  if (!parsed || parsed.header.alg !== "HS256") return false;
  const lastDot = token.lastIndexOf(".");
  const expected = createHmac("sha256", secret).update(token.slice(0, lastDot)).digest();
  const signature = Buffer.from(token.slice(lastDot + 1), "base64url");
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
