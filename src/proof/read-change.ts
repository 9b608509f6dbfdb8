// Reads a change between two commits from git, as experiments need it: modes, objects, texts and changed lines.

import { classify } from '../check/classes.ts';
import { readObjects } from '../git/run/read-objects.ts';
import type { Repo } from '../git/run/repo.ts';
import { type Change, type FileAt, type FileChange, readRanges } from './change.ts';
import { findNamedFiles } from './named-files.ts';

/** A longer file is put back as a whole, and not looked into. */
const mostBytes = 1024 * 1024;

/** The change from `base` to `head`, without the files in `except` (the plan). `commands`: the checks that judge it. */
export async function readChange(
  repo: Repo,
  { base, head }: Readonly<{ base: string; head: string }>,
  { commands, except = [] }: Readonly<{ commands: readonly string[]; except?: readonly string[] }>,
): Promise<Change> {
  const listed = await repo.git([
    ...'diff-tree -r -z -M --raw --full-index --no-ext-diff'.split(' '),
    base,
    head,
  ]);
  const entries = readEntries(listed).filter(({ file }) => !except.includes(file));
  const files: FileChange[] = [];
  for (const entry of entries) files.push(await readFileChange(repo, entry));
  const settings = await readSettingsTexts(repo, head);
  return {
    files,
    named: findNamedFiles(
      entries.map(({ file }) => file),
      { commands, settings },
    ),
  };
}

type Entry = Readonly<{ file: string; from?: string; before?: FileAt; after?: FileAt }>;

function readEntries(output: string): readonly Entry[] {
  const fields = output.split('\0');
  const entries: Entry[] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const [mode = '', newMode = '', oid = '', newOid = '', status = ''] = (fields[at] ?? '')
      .slice(1)
      .split(' ');
    const isMove = /^[RC]/.test(status);
    const [from = '', to = from] = isMove ? [fields[at + 1], fields[at + 2]] : [fields[at + 1]];
    at += isMove ? 3 : 2;
    const before = status.startsWith('A') || status.startsWith('C') ? {} : { before: { mode, oid } };
    const after = status.startsWith('D') ? {} : { after: { mode: newMode, oid: newOid } };
    entries.push({ file: to, ...(status.startsWith('R') ? { from } : {}), ...before, ...after });
  }
  return entries;
}

async function readFileChange(repo: Repo, { before, after, ...names }: Entry): Promise<FileChange> {
  const was = before && (await readAt(repo, before));
  const is = after && (await readAt(repo, after));
  const hasLines = was?.text !== undefined && is?.text !== undefined && was.oid !== is.oid;
  const how = 'diff --unified=0 --no-color --no-ext-diff --no-textconv --diff-algorithm=histogram';
  const diff = hasLines ? await repo.git([...how.split(' '), was.oid, is.oid]) : '';
  return {
    ...names,
    ...(was ? { before: was } : {}),
    ...(is ? { after: is } : {}),
    ranges: readRanges(diff),
  };
}

/** Text only of a plain file without a zero byte. */
async function readAt(repo: Repo, at: FileAt): Promise<FileAt> {
  if (!at.mode.startsWith('100')) return at;
  const size = Number(await repo.git(['cat-file', '-s', at.oid]));
  if (size > mostBytes) return at;
  const [found] = await readObjects(repo, [at.oid]);
  if (!found || found.body.includes(0)) return at;
  return { ...at, text: found.body.toString('utf8') };
}

const tellsSetup =
  /(?:^|\/)(?:package\.json|\.mocharc[^/]*|\.rspec|(?:jest|vitest|vite|ava|playwright|cypress|karma)\.config\.[^/]+|bunfig\.toml|pyproject\.toml|pytest\.ini|setup\.cfg)$/;
const mostSettings = 40;

async function readSettingsTexts(repo: Repo, head: string): Promise<readonly string[]> {
  const names = (await repo.git(['ls-tree', '-r', '-z', '--name-only', head])).split('\0');
  const telling = names
    .filter((name) => tellsSetup.test(name) && classify(name) === 'config' && !name.includes('\n'))
    .slice(0, mostSettings);
  const found = await readObjects(
    repo,
    telling.map((name) => `${head}:${name}`),
  );
  return found.flatMap((object) =>
    object && object.body.length < mostBytes ? [object.body.toString('utf8')] : [],
  );
}
