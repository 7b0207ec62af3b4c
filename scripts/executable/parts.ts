/** The files of the package that are needed to run it, for what is installed without npm. */
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { root } from "../bundle.ts";

/** Declarations and manual pages are for npm users, or have places of their own; the tools that jq was built with are for nobody. */
const PARTS = ["bin", "dist", "package.json", "LICENSE", "node_modules/jq-web"];
const EXCLUDED = /^(?:dist\/(?:types|man|core\.js)|node_modules\/jq-web\/emsdk\/)/;

const NATIVE = ["@napi-rs/image", "@napi-rs/keyring"];

function nativeFolders(): string[] {
  const scope = path.join(root, "node_modules/@napi-rs");
  if (!existsSync(scope)) return [];
  return readdirSync(scope)
    .filter((name) => NATIVE.some((one) => `@napi-rs/${name}`.startsWith(one)))
    .map((name) => `node_modules/@napi-rs/${name}`);
}

/** Every file, relative to the clone, in a stable order. */
export function runFiles(): string[] {
  const below = (name: string): string[] =>
    statSync(path.join(root, name)).isDirectory()
      ? readdirSync(path.join(root, name)).flatMap((entry) => below(`${name}/${entry}`))
      : [name];
  return [...PARTS, ...nativeFolders()]
    .flatMap(below)
    .filter((name) => !EXCLUDED.test(name))
    .toSorted();
}
