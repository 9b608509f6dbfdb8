// Reads a change between two commits from git.

import type { ReadFile } from '../check/read-file.ts';
import { readObjects } from '../git/run/read-objects.ts';
import type { Repo } from '../git/run/repo.ts';
import { type Change, type FileAt, type FileChange, rangesBetween } from './change.ts';
import { findComparedFiles, findNamedFiles } from './named-files.ts';

/** A longer file is put back as a whole. */
const mostBytes = 1024 * 1024;

/** Without the files in `except` (the plan). `commands`: the checks that judge it. */
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
  const texts = await readTexts(
    repo,
    entries.flatMap(({ before, after }) => [before, after].filter((at) => at !== undefined)),
  );
  const { settings, read } = await readSettings(repo, head);
  const names = entries.map(({ file }) => file);
  return {
    files: entries.map((entry) => withTexts(entry, texts)),
    named: findNamedFiles(names, { commands, settings, read }),
    compared: findComparedFiles(names, commands),
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

type Texts = ReadonlyMap<string, string>;

function withTexts({ before, after, ...names }: Entry, texts: Texts): FileChange {
  const textOf = (at: FileAt): FileAt => {
    const text = at.mode.startsWith('100') ? texts.get(at.oid) : undefined;
    return text === undefined ? at : { ...at, text };
  };
  const [was, is] = [before && textOf(before), after && textOf(after)];
  const hasLines = was?.text !== undefined && is?.text !== undefined;
  const ranges = hasLines ? rangesBetween(was.text ?? '', is.text ?? '') : [];
  return { ...names, ...(was ? { before: was } : {}), ...(is ? { after: is } : {}), ranges };
}

/** Of plain files without a zero byte, by object. */
async function readTexts(repo: Repo, files: readonly FileAt[]): Promise<Texts> {
  const oids = [...new Set(files.flatMap(({ mode, oid }) => (mode.startsWith('100') ? oid : [])))];
  if (oids.length === 0) return new Map();
  const input = oids.map((oid) => `${oid}\n`).join('');
  const sizes = await repo.git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  const small = sizes
    .trim()
    .split('\n')
    .flatMap((line) => (Number(line.split(' ')[1]) <= mostBytes ? (line.split(' ')[0] ?? '') : []));
  const found = await readObjects(repo, small);
  return new Map(
    found.flatMap((object) =>
      object && !object.body.includes(0) ? [[object.oid, object.body.toString('utf8')]] : [],
    ),
  );
}

const tellsSetup =
  /(?:^|\/)(?:package\.json|\.mocharc[^/]*|\.rspec|(?:jest|vitest|vite|ava|playwright|cypress|karma)\.config\.[^/]+|bunfig\.toml|pyproject\.toml|pytest\.ini|setup\.cfg)$/;
const callsOthers =
  /(?:^|\/)(?:package\.json|(?:GNUm|[Mm])akefile|\.?[Jj]ustfile|[Tt]askfile\.[^/]+|[^/]+\.sh)$/;
const mostSettings = 80;

/** `read`: the text of what calls or sets up others; empty for another file of the commit. */
async function readSettings(
  repo: Repo,
  head: string,
): Promise<Readonly<{ settings: readonly string[]; read: ReadFile }>> {
  const names = (await repo.git(['ls-tree', '-r', '-z', '--name-only', head])).split('\0');
  const telling = names
    .filter((name) => (tellsSetup.test(name) || callsOthers.test(name)) && !name.includes('\n'))
    .slice(0, mostSettings);
  const found = await readObjects(
    repo,
    telling.map((name) => `${head}:${name}`),
  );
  const texts = new Map(names.map((name) => [name, '']));
  for (const [at, name] of telling.entries()) {
    const object = found[at];
    if (object && object.body.length < mostBytes) texts.set(name, object.body.toString('utf8'));
  }
  const settings = telling.filter((name) => tellsSetup.test(name)).map((name) => texts.get(name) ?? '');
  return { settings, read: (name) => texts.get(name) };
}
