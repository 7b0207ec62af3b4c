/** The part `upload_sizes` of an image upload: wanted sizes, checked before the upload is recorded (specification/attachments.md §2). */
import { ApiProblem } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { isObject } from "../../wire/json-object.ts";

const RESIZE: ReadonlySet<unknown> = new Set(["clip", "crop", "scale", "fill"]);
const CROP: ReadonlySet<unknown> = new Set(["top", "bottom", "left", "right", "center"]);
const MOST = 10;
const LARGEST = 16_384;

/** Throws code 4 under `upload_sizes` for what is no list of sizes; no picture is made, so nothing else is needed of them. */
export function checkSizes(text: string): void {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw wrongSizes("must be JSON");
  }
  if (!Array.isArray(list)) throw wrongSizes("must be a list of sizes");
  if (list.length > MOST) throw wrongSizes(`must hold at most ${MOST} sizes`);
  for (const [i, one] of list.entries()) {
    if (!isObject(one)) throw wrongSizes("must be an object", i);
    const { width, height, resize, crop } = one;
    for (const [name, value] of Object.entries({ width, height }))
      if (value !== undefined && !(Number.isInteger(value) && Number(value) > 0 && Number(value) <= LARGEST))
        throw wrongSizes(`${name} must be a whole number from 1 to ${LARGEST}`, i);
    if (resize !== undefined && !RESIZE.has(resize))
      throw wrongSizes("resize must be clip, crop, scale or fill", i);
    if (crop !== undefined && !CROP.has(crop))
      throw wrongSizes("crop must be top, bottom, left, right or center", i);
  }
}

function wrongSizes(problem: string, at?: number): ApiProblem {
  const field = at === undefined ? "upload_sizes" : `upload_sizes.${at}`;
  return invalidField(field, problem);
}
