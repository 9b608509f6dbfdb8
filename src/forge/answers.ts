// How a forge remembers which comments pawl has answered: by an invisible mark at the end of each answer. Pure.
import type { RequestComment } from './forge.ts';

/** By anybody, programs included. */
export type AnyComment = RequestComment & Readonly<{ isBot: boolean }>;

/** As it is sent; nothing in `text` can be taken for a mark. */
export function markAnswer({ id }: RequestComment, text: string): string {
  return `${text.replaceAll('<!--', '')}\n\n<!-- pawl answers ${id} -->`;
}

/** By people, the oldest first. A mark counts from whoever could have answered. */
export function listUnanswered(all: readonly AnyComment[]): readonly RequestComment[] {
  const answered = new Set(
    all.flatMap(({ text, mayWrite, isBot }) => (mayWrite || isBot ? (readMark(text) ?? []) : [])),
  );
  return all
    .filter(
      ({ id, text, isBot }) =>
        !isBot && text.trim() !== '' && readMark(text) === undefined && !answered.has(id),
    )
    .map(({ isBot: _, ...comment }) => comment)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function readMark(text: string): string | undefined {
  return /^<!-- pawl answers (\S+) -->\s*$/m.exec(text)?.[1];
}
