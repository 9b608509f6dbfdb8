// A text cut to a length: between two words where one ends nearby, with a sign that something is missing.

/** Longest end of a word that is left out with the rest, characters. */
const longestEnd = 30;

/** The text with at most so many characters, cut at its end. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const begin = text.slice(0, Math.max(0, most - 1));
  const isWord = /^\s/.test(text.slice(begin.length));
  const at = isWord ? begin.length : begin.search(/\s+\S*$/);
  const words = at > 0 && begin.length - at <= longestEnd ? begin.slice(0, at) : begin;
  return `${words.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
