// The documents beside another tool's `tasks.md` that say what it is for (OpenSpec, spec-kit, Kiro), for a session.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';
import { readInside } from './read-inside.ts';

const kiro = ['requirements.md', 'bugfix.md', 'design.md', 'research.md'];

/** By the file that shows whose folder it is. */
const folders: readonly Readonly<{ sign: string; documents: readonly string[]; told?: string }>[] = [
  { sign: 'proposal.md', documents: ['proposal.md', 'design.md', 'specs'], told: 'proposal.md' },
  {
    sign: 'spec.md',
    documents: ['spec.md', 'plan.md', 'research.md', 'data-model.md', 'quickstart.md', 'contracts'],
  },
  { sign: 'requirements.md', documents: kiro },
  { sign: 'bugfix.md', documents: kiro },
  { sign: 'design.md', documents: kiro },
];

const most = 40;

/** `name`: the plan's, as sessions know it. */
export function withBeside(overview: string, plan: Readonly<{ file: string; name: string }>): string {
  if (path.basename(plan.file).toLowerCase() !== 'tasks.md') return overview;
  const folder = path.dirname(plan.file);
  const kind = folders.find(({ sign }) => isFile(path.join(folder, sign)));
  if (!kind) return overview;
  const found = kind.documents.flatMap((document) => listDocuments(folder, document)).slice(0, most);
  const lines = found.map((document) => `- ${path.join(path.dirname(plan.name), document)}`);
  const told = kind.told === undefined ? '' : (readInside(folder, kind.told)?.trim() ?? '');
  return [
    overview,
    `The documents of this plan; read what concerns your task before you begin, and change them only if it says so:\n\n${lines.join('\n')}`,
    told,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listDocuments(folder: string, name: string): readonly string[] {
  const whole = path.join(folder, name);
  if (isFile(whole)) return [name];
  return orElse(() => readdirSync(whole, { withFileTypes: true, recursive: true }), [])
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
