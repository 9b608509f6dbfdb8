// Parses a unified diff as git prints it.
import type { DiffFile } from './view.ts';

export function parseDiff(text: string): readonly Omit<DiffFile, 'isOutside'>[] {
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const all = part.replace(/\n$/, '').split('\n');
      const begin = all.findIndex((line) => line.startsWith('@@') || line.startsWith('Binary'));
      const lines = begin < 0 ? [] : all.slice(begin);
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      return {
        name: nameOf(begin < 0 ? all : all.slice(0, begin)),
        ...{ lines, added: count('+'), removed: count('-') },
      };
    });
}

function nameOf(head: readonly string[]): string {
  const find = (begin: string): string | undefined =>
    head.find((line) => line.startsWith(begin))?.slice(begin.length);
  const first = (head[0] ?? '').replace(/^diff --git a\/(.*) b\/.*$/, '$1');
  return find('+++ b/') ?? find('rename to ') ?? find('--- a/') ?? first;
}
