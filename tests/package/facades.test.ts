/** No built file is loaded only to re-export another file. */
import { expect, test } from "vitest";
import { withoutFacades } from "../../scripts/facades.ts";

const SOURCE = "const a=1,b=()=>a;export{a as t,b as n};";

test("imports of a file that only re-exports names are changed to the file behind it", () => {
  const files = new Map([
    [
      "main.js",
      "export const find=async()=>(await import(`./chunks/find-1.js`)).find();export const own=import(`./chunks/own-2.js`);",
    ],
    [
      "chunks/find-1.js",
      'import"./shared.js";import{n as T,t as v}from"./held-3.js";export{T as find,v as first};\n',
    ],
    ["chunks/held-3.js", SOURCE],
    ["chunks/own-2.js", 'import{t as a}from"./held-3.js";console.log(a);export{a as own};'],
    ["chunks/shared.js", "export{};"],
  ]);
  const left = withoutFacades(files, new Set(["chunks/find-1.js", "chunks/own-2.js"]));
  expect([...left.keys()]).toEqual(["main.js", "chunks/held-3.js", "chunks/own-2.js", "chunks/shared.js"]);
  expect(left.get("main.js")).toBe(
    "export const find=async()=>(await import(`./chunks/held-3.js`).then(e=>({find:e.n,first:e.t}))).find();export const own=import(`./chunks/own-2.js`);",
  );
});

test("a file that others import statically is kept, even if it only re-exports", () => {
  const files = new Map([
    ["core.js", 'import{t as a}from"./chunks/held-3.js";export{a as createClient};'],
    ["chunks/held-3.js", SOURCE],
  ]);
  expect(withoutFacades(files, new Set())).toEqual(files);
  files.set("chunks/lazy-1.js", 'import{t as a}from"./held-3.js";export{a as find};');
  files.set("chunks/other-4.js", 'import{find as a}from"./lazy-1.js";a();');
  expect(withoutFacades(files, new Set(["chunks/lazy-1.js"]))).toEqual(files);
});
