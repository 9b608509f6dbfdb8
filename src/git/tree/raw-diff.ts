// Parses git's raw and numstat output into what differs between two trees.
import { named, nameOf, type RawName, splitNul } from '../run/names.ts';
import type { TreeEntry } from './tree-entry.ts';

export type ChangedFile = Readonly<{
  /** For a deleted file, its last name. */
  file: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** The old name of a renamed file. */
  from?: string;
  /** Lines; 0 for a binary file, and if they were not asked for. */
  insertions: number;
  deletions: number;
}>;

/** `was`, `is`: undefined where there is nothing. */
export type TreeChange = ChangedFile &
  RawName &
  Readonly<{ was: TreeEntry | undefined; is: TreeEntry | undefined }>;

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

/** Of `diff-tree -r -z`, with `changeFlags` or less, in git's order. */
export function parseChanges(output: Uint8Array): readonly TreeChange[] {
  const fields = splitNul(output).values();
  const next = () => fields.next().value ?? '';
  const changes = new Map<string, TreeChange>();
  for (const field of fields) {
    if (field.startsWith(':')) {
      const change = parseRaw(field, next);
      changes.set(change.raw, change);
      continue;
    }
    const [insertions, deletions, ...rest] = field.split('\t');
    // Of a renamed file, both names follow.
    const raw = rest.join('\t') || [next(), next()][1] || '';
    const known = changes.get(raw);
    if (known) changes.set(raw, { ...known, insertions: countOf(insertions), deletions: countOf(deletions) });
  }
  return [...changes.values()];
}

function parseRaw(field: string, next: () => string): TreeChange {
  const [wasMode = '', isMode = '', wasOid = '', isOid = '', letter = ''] = field.slice(1).split(' ');
  const status = statuses[letter.charAt(0)] ?? 'modified';
  const first = next();
  return {
    ...named(status === 'renamed' ? next() : first),
    status,
    ...(status === 'renamed' ? { from: nameOf(first) } : {}),
    was: status === 'added' ? undefined : { mode: wasMode, oid: wasOid },
    is: status === 'deleted' ? undefined : { mode: isMode, oid: isOid },
    insertions: 0,
    deletions: 0,
  };
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type-changed',
};

function countOf(text: string | undefined): number {
  return text === undefined || text === '-' ? 0 : Number(text);
}
