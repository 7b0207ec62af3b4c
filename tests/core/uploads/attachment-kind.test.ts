/** The upload check and its state machine, row by row (specification/attachments.md §4, §5, §5.1). */
import { describe, expect, test } from "vitest";
import {
  attachmentKind,
  isImage,
  nextUpload,
  UPLOAD_MOVES,
  type UploadInput,
} from "../../../src/core/uploads/uploads.ts";
import { extensionOf, uploadBlock, type FileFacts } from "../../../src/wire/upload-rules.ts";
import type { Upload } from "../../../src/core/core.ts";
import type { BlockReason, UploadConfig } from "../../../src/wire/entities/attachment.ts";

const png: FileFacts = { name: "tea.PNG", size: 10, mimeType: "image/png" };
const bare: FileFacts = { name: "README", size: 10, mimeType: undefined };

const ROWS: [what: string, config: UploadConfig, file: FileFacts, reason: BlockReason | undefined][] = [
  ["no rules", {}, png, undefined],
  [
    "extension in the allowed list, dot and case do not matter",
    { allowed_file_extensions: [".png"] },
    png,
    undefined,
  ],
  ["allowed list without the dot", { allowed_file_extensions: ["PNG"] }, png, undefined],
  [
    "extension not in the allowed list",
    { allowed_file_extensions: [".gif"] },
    png,
    "allowed_file_extensions",
  ],
  [
    "no extension and an allowed list",
    { allowed_file_extensions: [".gif"] },
    bare,
    "allowed_file_extensions",
  ],
  [
    "only the last extension counts",
    { allowed_file_extensions: ["tar"] },
    { name: "a.tar.gz" },
    "allowed_file_extensions",
  ],
  ["blocked extension", { blocked_file_extensions: ["png"] }, png, "blocked_file_extensions"],
  ["no extension and a blocked list", { blocked_file_extensions: [""] }, bare, undefined],
  ["type not in the allowed list", { allowed_mime_types: ["image/gif"] }, png, "allowed_mime_types"],
  ["type allowed by its family", { allowed_mime_types: ["image/*"] }, png, undefined],
  ["a family is not a prefix of another word", { allowed_mime_types: ["ima/*"] }, png, "allowed_mime_types"],
  ["blocked type, case does not matter", { blocked_mime_types: ["IMAGE/PNG"] }, png, "blocked_mime_types"],
  ["blocked family", { blocked_mime_types: ["image/*"] }, png, "blocked_mime_types"],
  [
    "unknown type skips both type rules",
    { allowed_mime_types: ["image/gif"], blocked_mime_types: ["*/*"] },
    bare,
    undefined,
  ],
  ["equal to the limit is allowed", { size_limit: 10 }, png, undefined],
  ["one byte over the limit", { size_limit: 9 }, png, "size_limit"],
  ["limit 0 means the default", { size_limit: 0 }, { ...png, size: 104_857_600 }, undefined],
  ["over the default", {}, { ...png, size: 104_857_601 }, "size_limit"],
  ["unknown size skips the rule", { size_limit: 1 }, { name: "a.png" }, undefined],
];

test.each(ROWS)("the upload rules decide: %s", (_, config, file, reason) => {
  expect(uploadBlock(config, file)).toBe(reason);
});

test("the first matching rule is the reason, in the order of the specification", () => {
  const all: UploadConfig = {
    allowed_file_extensions: ["gif"],
    blocked_file_extensions: ["png"],
    allowed_mime_types: ["image/gif"],
    blocked_mime_types: ["image/png"],
    size_limit: 1,
  };
  const order = [
    "allowed_file_extensions",
    "blocked_file_extensions",
    "allowed_mime_types",
    "blocked_mime_types",
    "size_limit",
  ] as const;
  const remaining = { ...all };
  for (const reason of order) {
    expect(uploadBlock(remaining, png)).toBe(reason);
    delete remaining[reason];
  }
});

test("the kind comes from the type, and only accepted types are images (UP-3)", () => {
  expect(
    ["image/png", "image/svg+xml", "image/tiff", "video/mp4", "audio/aac", "text/plain", undefined].map(
      attachmentKind,
    ),
  ).toEqual(["image", "image", "file", "video", "audio", "file", "file"]);
  expect(isImage("IMAGE/PNG")).toBe(true);
  expect(extensionOf("a.b.TXT")).toBe("txt");
  expect(extensionOf("none")).toBe("");
});

describe("R-ATT-1: the state machine of an upload (specification/attachments.md §5.1)", () => {
  const base: Upload = {
    localId: "l",
    name: "a.png",
    state: "pending",
    sent: 0,
    total: 10,
    attachment: { type: "image" },
  };
  const inputs: UploadInput[] = [
    { type: "blocked", reason: "size_limit" },
    { type: "started" },
    { type: "progress", sent: 5, total: 12 },
    { type: "finished", answer: { file: "http://f/a.png", thumb_url: "http://f/t.png", duration: "9.00ms" } },
    { type: "failed", reason: "no" },
  ];
  const EXPECTED: Record<Upload["state"], (Upload["state"] | undefined)[]> = {
    pending: ["blocked", "uploading", undefined, undefined, undefined],
    uploading: [undefined, undefined, "uploading", "finished", "failed"],
    finished: [undefined, undefined, undefined, undefined, undefined],
    failed: ["blocked", "uploading", undefined, undefined, undefined],
    blocked: [undefined, undefined, undefined, undefined, undefined],
  };
  for (const state of Object.keys(EXPECTED) as Upload["state"][])
    for (const [at, input] of inputs.entries())
      test(`${state} + ${input.type} → ${EXPECTED[state][at] ?? "nothing"}`, () => {
        const upload = { ...base, state };
        const moved = nextUpload(upload, input);
        expect(UPLOAD_MOVES[state][input.type]).toBe(EXPECTED[state][at]);
        if (EXPECTED[state][at] === undefined) expect(moved).toBe(upload);
        else expect(moved.state).toBe(EXPECTED[state][at]);
      });
  test("R-ATT-5: a finished image has image_url, other files asset_url; the thumbnail is copied, the duration is not", () => {
    const uploading = { ...base, state: "uploading" as const };
    const answer = inputs[3]!;
    expect(nextUpload(uploading, answer).attachment).toEqual({
      type: "image",
      image_url: "http://f/a.png",
      thumb_url: "http://f/t.png",
    });
    expect(nextUpload({ ...uploading, attachment: { type: "video" } }, answer).attachment).toEqual({
      type: "video",
      asset_url: "http://f/a.png",
      thumb_url: "http://f/t.png",
    });
  });
});
