/** What a document of an export is, by its first bytes: the keys of its outermost object, or of the one in its first line. */
import type { ExportFile } from "./zip.ts";
import { headOf, type ExportFiles } from "./foreign-files.ts";
import { jsonParts } from "./json-stream.ts";

/** Key → its text, number or other small value; `{}` and `[]` for an object and a list. */
type Outline = ReadonlyMap<string, unknown>;

const outlines = new WeakMap<ExportFile, Outline>();

/** Files that hold no text, by the ends of their names. */
const NO_DOCUMENT =
  /\.(png|jpe?g|gif|webp|bmp|heic|avif|ico|svg|mp[34]|webm|mov|mkv|avi|og[gav]|opus|wav|m4[av]|flac|aac|pdf|zip|gz|7z|rar|tgs|html?|css|js|vcf|docx?|xlsx?|pptx?|ttf|woff2?|exe|dmg|apk)$/i;

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Empty for what is no JSON object. */
async function outlineOf(file: ExportFile): Promise<Outline> {
  const known = outlines.get(file);
  if (known) return known;
  const outline = new Map<string, unknown>();
  outlines.set(file, outline);
  for await (const parts of jsonParts(asStream(await headOf(file)), { enter: (path) => !path.includes("/") }))
    for (const part of parts) {
      if ("opened" in part && part.path !== "" && !part.path.includes("*"))
        outline.set(part.path, part.opened === "list" ? [] : {});
      if ("key" in part && part.path === "") outline.set(part.key, part.value);
    }
  return outline;
}

/** The documents whose outline fits; a file alone is looked into whatever its name. */
export async function documentsLike(
  { files }: ExportFiles,
  fits: (outline: Outline, file: ExportFile) => boolean,
): Promise<ExportFile[]> {
  const found: ExportFile[] = [];
  for (const file of files)
    if ((files.length === 1 || !NO_DOCUMENT.test(file.name)) && fits(await outlineOf(file), file))
      found.push(file);
  return found;
}
