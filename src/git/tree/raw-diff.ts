// Parses git's raw and numstat output into changed files.
import { nameOf, splitNul } from '../run/names.ts';

export type ChangedFile = Readonly<{
  /** For a deleted file, its last name. */
  file: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** The old name of a renamed file. */
  from?: string;
  /** Lines; 0 for a binary file. */
  insertions: number;
  deletions: number;
}>;

/** As `git diff --shortstat`. */
export function countChanges(files: readonly Pick<ChangedFile, 'insertions' | 'deletions'>[]) {
  return {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

export const changeFlags: readonly string[] = [
  '-r',
  '-z',
  '--raw',
  '--numstat',
  '-M',
  '--no-ext-diff',
  '--no-textconv',
];

/** Output made with `changeFlags`, in git's order. */
export function parseChanges(output: Uint8Array): readonly ChangedFile[] {
  const fields = splitNul(output);
  const files = new Map<string, ChangedFile>();
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    if (field.startsWith(':')) {
      const letter = field.split(' ')[4]?.[0] ?? 'M';
      const isMove = letter === 'R' || letter === 'C';
      const [first = '', second = ''] = [fields[at + 1], fields[at + 2]];
      at += isMove ? 2 : 1;
      const raw = isMove ? second : first;
      const status = statuses[letter] ?? 'modified';
      const from = letter === 'R' ? { from: nameOf(first) } : {};
      files.set(raw, { file: nameOf(raw), status, ...from, insertions: 0, deletions: 0 });
      continue;
    }
    const [insertions, deletions, ...rest] = field.split('\t');
    const name = rest.join('\t');
    const raw = name === '' ? (fields[at + 2] ?? '') : name;
    if (name === '') at += 2;
    const known = files.get(raw);
    if (known) files.set(raw, { ...known, insertions: countOf(insertions), deletions: countOf(deletions) });
  }
  return [...files.values()];
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  C: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type-changed',
};

function countOf(text: string | undefined): number {
  return text === undefined || text === '-' ? 0 : Number(text);
}
