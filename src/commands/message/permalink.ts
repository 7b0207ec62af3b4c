/** A message's own address, `parley:type:id/message`: what is copied, and what commands take in the place of an id. */

const FORM = /^parley:([^/:]+:[^/]+)\/(.+)$/;

export const permalink = (message: { cid: string; id: string }): string =>
  `parley:${message.cid}/${message.id}`;

/** The message id that an id or an address names. */
export const messageId = (text: string): string => FORM.exec(text)?.[2] ?? text;
