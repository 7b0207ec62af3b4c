/** Finds addresses of messages, `parley:type:id/message`, in a text. */

const ADDRESS = /(?<![\w:/])parley:[\w-]{1,64}:[\w!-]{1,64}\/[\w@-]{1,255}/g;

/** Splits a text into addresses and the text between them. */
export function permalinksIn(text: string): { text: string; address: boolean }[] {
  if (!text.includes("parley:")) return [{ text, address: false }];
  const pieces = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (index > from) pieces.push({ text: text.slice(from, index), address: false });
    pieces.push({ text: address, address: true });
    from = index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), address: false });
  return pieces;
}

export const addressesIn = (text: string): string[] => [
  ...new Set(
    permalinksIn(text)
      .filter(({ address }) => address)
      .map((piece) => piece.text),
  ),
];
