/** Checks the part `upload_sizes` of an image upload: the requested sizes (specification/attachments.md §2). */
import { ApiProblem } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { isObject } from "../../wire/json-object.ts";

const RESIZE: ReadonlySet<unknown> = new Set(["clip", "crop", "scale", "fill"]);
const CROP: ReadonlySet<unknown> = new Set(["top", "bottom", "left", "right", "center"]);
const MAX_SIZES = 10;
const MAX_PIXELS = 16_384;

/** Throws code 4 under `upload_sizes` unless `text` is a list of sizes. The sizes are only checked: no image is resized. */
export function checkSizes(text: string): void {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw sizesProblem("must be JSON");
  }
  if (!Array.isArray(list)) throw sizesProblem("must be a list of sizes");
  if (list.length > MAX_SIZES) throw sizesProblem(`must hold at most ${MAX_SIZES} sizes`);
  for (const [i, size] of list.entries()) {
    if (!isObject(size)) throw sizesProblem("must be an object", i);
    const { width, height, resize, crop } = size;
    for (const [name, value] of Object.entries({ width, height }))
      if (
        value !== undefined &&
        !(Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_PIXELS)
      )
        throw sizesProblem(`${name} must be a whole number from 1 to ${MAX_PIXELS}`, i);
    if (resize !== undefined && !RESIZE.has(resize))
      throw sizesProblem("resize must be clip, crop, scale or fill", i);
    if (crop !== undefined && !CROP.has(crop))
      throw sizesProblem("crop must be top, bottom, left, right or center", i);
  }
}

function sizesProblem(problem: string, index?: number): ApiProblem {
  const field = index === undefined ? "upload_sizes" : `upload_sizes.${index}`;
  return invalidField(field, problem);
}
