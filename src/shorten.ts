// Cuts text to a length, between two words if a gap is near.

/** The longest partial word dropped at the cut, in characters. */
const longestEnd = 30;

/** To at most `most` characters. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const begin = text.slice(0, Math.max(0, most - 1));
  const isWord = /^\s/.test(text.slice(begin.length));
  const at = isWord ? begin.length : begin.search(/\s+\S*$/);
  const words = at > 0 && begin.length - at <= longestEnd ? begin.slice(0, at) : begin;
  return `${words.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
