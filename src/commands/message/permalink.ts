/** Permalinks of messages, `parley:type:id/message`, which commands accept instead of an id. */

const FORM = /^parley:([^/:]+:[^/]+)\/(.+)$/;

export const permalink = (message: { cid: string; id: string }): string =>
  `parley:${message.cid}/${message.id}`;

/** The id from a permalink; any other text is returned unchanged. */
export const messageId = (text: string): string => FORM.exec(text)?.[2] ?? text;
