// Derives a valid branch name (git-check-ref-format 2.39) from a plan's file name.
import path from 'node:path';

/** Bytes: longer would not fit with git's `.lock` on common file systems. */
const maxBytes = 200;

/** The file's name without extension, or the folder's for a `tasks.md`, of which a repository has many. */
export function nameOfPlan(planFile: string): string {
  const base = path.basename(planFile).replace(/\.(?:md|markdown)$/i, '');
  const folder = path.basename(path.dirname(planFile));
  return base.toLowerCase() === 'tasks' && /[\p{L}\p{N}]/u.test(folder) ? folder : base;
}

const trunks: ReadonlySet<string> = new Set(['head', 'main', 'master', 'trunk', 'develop']);

export function branchName(planFile: string): string {
  const base = nameOfPlan(planFile);
  const name = cleanName(withoutDate(base)) || cleanName(base);
  // git takes HEAD for the head, and a trunk’s name would put the work onto the trunk.
  return name === '' || trunks.has(name.toLowerCase()) ? `plan${name && `-${name}`}` : name;
}

export function withoutDate(base: string): string {
  return base.replace(/^\d{4}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[-_.\s]+|$)/, '');
}

function cleanName(text: string): string {
  let name = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replace(/\.{2,}/g, '-');
  name = cut(name);
  for (let before = ''; before !== name; ) {
    before = name;
    name = name.replace(/-{2,}/g, '-').replace(/^[-.]+|[-.]+$|\.lock$/g, '');
  }
  return name;
}

function cut(name: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return name.slice(0, end);
}
