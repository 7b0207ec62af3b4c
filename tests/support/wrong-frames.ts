/** Bytes that no WebSocket server may send, and close frames with any code: what broken middleboxes produce. */

const TEXT = 0x81;

/** An unmasked frame, as servers send it. */
export function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const head = Buffer.from([first, 126, 0, 0]);
  head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(0x88, payload);
}

const some = Buffer.from('{"type":"health.check"}');
const endless = Buffer.concat([Buffer.from([TEXT, 127, 0, 0, 1, 0, 0, 0, 0, 0]), Buffer.alloc(4096, 0x20)]);
/** A message larger than a client may accept, in small fragments. */
const pieces = Buffer.concat([
  frame(0x01, Buffer.alloc(60_000, 0x20)),
  ...Array.from({ length: 50 }, () => frame(0x00, Buffer.alloc(60_000, 0x20))),
]);

export const WRONG_FRAMES: Readonly<Record<string, Buffer>> = {
  garbage: Buffer.from("HTTP/1.1 200 OK\r\n\r\n\u0000\u001b[2J<html>", "latin1"),
  "a frame without an end": endless,
  "pieces without an end": pieces,
  "a masked frame": Buffer.concat([Buffer.from([TEXT, 0x80 | 4, 1, 2, 3, 4]), Buffer.from("abcd")]),
  "a reserved bit": frame(0xc1, some),
  "an unknown opcode": frame(0x83, some),
  "a ping in pieces": frame(0x09, some),
  "a ping that is too long": frame(0x89, Buffer.alloc(200)),
  "a continuation of nothing": frame(0x80, some),
  "text that is no UTF-8": frame(TEXT, Buffer.from([0xc3, 0x28])),
  "a close frame of one byte": frame(0x88, Buffer.from([3])),
};

/** Valid frames with meaningless contents: the connection must survive them. */
export const ODD_FRAMES: readonly Buffer[] = [
  "",
  "hello",
  "null",
  "[]",
  "7",
  "{}",
  '{"type":7}',
  '{"type":"message.new"}',
  '{"type":"message.new","cid":"messaging:general","message":{"id":7}}',
  '{"type":"not.known","created_at":"never"}',
].map((text) => frame(TEXT, Buffer.from(text)));

/** A part of a frame: its length field is larger than the data. */
export const CUT_FRAME = frame(TEXT, Buffer.alloc(200, 0x20)).subarray(0, 60);
