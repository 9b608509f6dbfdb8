// Parses a unified diff as git prints it: its files, each with its lines and how many were added and removed.

export type DiffFile = Readonly<{ name: string; lines: readonly string[]; added: number; removed: number }>;

export function parseDiff(text: string): readonly DiffFile[] {
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const lines = part.replace(/\n$/, '').split('\n');
      const begin = lines.findIndex((line) => line.startsWith('@@') || line.startsWith('Binary'));
      const head = begin < 0 ? lines : lines.slice(0, begin);
      const body = begin < 0 ? [] : lines.slice(begin);
      return {
        name: nameOf(head),
        lines: body,
        added: body.filter((line) => line.startsWith('+')).length,
        removed: body.filter((line) => line.startsWith('-')).length,
      };
    });
}

function nameOf(head: readonly string[]): string {
  const find = (begin: string): string | undefined =>
    head.find((line) => line.startsWith(begin))?.slice(begin.length);
  const after = find('+++ b/') ?? find('rename to ');
  const before = find('--- a/');
  if (after !== undefined) return after;
  if (before !== undefined) return `${before} (removed)`;
  return (head[0] ?? '').replace(/^diff --git a\/(.*) b\/.*$/, '$1');
}
