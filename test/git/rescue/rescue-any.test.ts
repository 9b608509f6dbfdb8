// Any work tree, saved, destroyed and restored: every new or changed file comes back byte for byte, a new one with its mode,
// and every file that was there is either listed or named as not held.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreRescue, showRescue } from '../../../src/git/rescue/rescue-list.ts';
import { isSoak } from '../../helpers/share.ts';
import { type Opened, openTemp } from '../open.ts';

const names = [
  'a.txt',
  'A.txt',
  'src/b.ts',
  'ü/ñ.txt',
  'new\nline',
  'sp ace "q"',
  ':x',
  '-f',
  'deep/er/c.txt',
  '.env',
  '.env.local',
];
const contents = [
  '',
  'x\n',
  'crlf\r\n',
  'mixed\r\nand\n',
  'no end',
  '\0bin\r\n',
  '$Id$\n',
  'x'.repeat(11_000_000),
];

const file = fc.record({
  name: fc.constantFrom(...names),
  what: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        content: fc.constantFrom(...contents),
        mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o666),
      }),
    },
    { weight: 1, arbitrary: fc.record({ link: fc.constantFrom('nowhere', 'a.txt', '../..') }) },
    { weight: 1, arbitrary: fc.constant('gone' as const) },
    { weight: 1, arbitrary: fc.constant('nested' as const) },
  ),
  stage: fc.constantFrom('no', 'no', 'yes', 'intent', 'then changed'),
});
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;

const world = fc.record({
  attributes: fc.constantFrom(
    '',
    '* text=auto\n',
    '* text eol=crlf\n',
    '* text=auto eol=lf\n',
    '*.txt ident\n',
    '*.ts -text\n* text\n',
  ),
  autocrlf: fc.constantFrom('false', 'true', 'input'),
  committed: fc.uniqueArray(fc.constantFrom(...names.slice(0, 9)), { maxLength: 5 }),
  files: fc.uniqueArray(file, { maxLength: 7, selector: ({ name }) => name }),
  destroy: fc.constantFrom('all', 'reset', 'overwrite'),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

type Entry = Readonly<{ bytes: string; mode: number } | { link: string }>;

/** All files of the work tree by name, `.git` folders left out. */
function readAll(root: string, below = ''): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const one of readdirSync(path.join(root, below), { withFileTypes: true })) {
    const name = path.join(below, one.name);
    const where = path.join(root, name);
    if (one.name === '.git') continue;
    if (one.isDirectory()) for (const [key, entry] of readAll(root, name)) found.set(key, entry);
    else if (one.isSymbolicLink()) found.set(name, { link: readlinkSync(where) });
    else found.set(name, { bytes: readFileSync(where, 'latin1'), mode: lstatSync(where).mode & 0o777 });
  }
  return found;
}

/** A repository with a commit, and over it a work tree in which anything was done. */
async function openWorld(given: Omit<World, 'destroy'>): Promise<Opened> {
  const { attributes, autocrlf, committed, files } = given;
  const first = Object.fromEntries(committed.map((name) => [name, `first ${name}\n`]));
  const made = await openTemp({
    files: { ...first, '.gitignore': '.env*\n*.log\n', '.gitattributes': attributes },
  });
  await made.temp.git('config', 'core.autocrlf', autocrlf);
  for (const one of files) await make(made, one);
  return made;
}

async function make(made: Opened, { name, what, stage }: File): Promise<void> {
  const where = path.join(made.temp.path, name);
  rmSync(where, { recursive: true, force: true });
  if (what === 'gone') return;
  mkdirSync(path.dirname(where), { recursive: true });
  if (what === 'nested') {
    await made.temp.git('init', '-q', '--', where);
    writeFileSync(path.join(where, 'inner'), 'inner');
    return;
  }
  if ('link' in what) symlinkSync(what.link, where);
  else {
    writeFileSync(where, what.content);
    chmodSync(where, what.mode);
  }
  if (stage === 'no') return;
  const add = [
    '-c',
    'core.safecrlf=false',
    'add',
    ...(stage === 'intent' ? ['-N'] : []),
    '-f',
    '--',
    `:(literal)${name}`,
  ];
  await made.temp.git(...add);
  if (stage !== 'then changed' || 'link' in what) return;
  chmodSync(where, 0o644);
  writeFileSync(where, `${what.content}more\n`);
  chmodSync(where, what.mode);
}

const save = (made: Opened) => ({
  run: 'r',
  index: `${made.index}.rescue`,
});

test('what a rescue lists comes back as it was; the rest is named', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ attributes, autocrlf, committed, files, destroy }) => {
      await using made = await openWorld({ attributes, autocrlf, committed, files });
      const root = made.temp.path;
      const before = readAll(root);
      const rescue = await saveRescue(made.repo, { ...save(made), reason: 'test' });
      const { point, files: changed } = await showRescue(made.repo, { run: 'r', point: rescue.oid });
      expect(point.notHeld).toEqual(rescue.notHeld);
      const listed = (await made.temp.git('ls-tree', '-r', '-z', '--name-only', rescue.oid))
        .split('\0')
        .filter(Boolean);
      const notHeld = point.notHeld.map(({ file: name }) => name);
      for (const name of before.keys()) {
        const isNamed =
          listed.includes(name) ||
          notHeld.some((one) => one === name || name.startsWith(`${one.replace(/\/$/, '')}/`));
        expect(isNamed, `${name} is neither held nor named`).toBe(true);
      }
      if (destroy === 'reset') await made.temp.git('reset', '-q', '--hard');
      else for (const name of before.keys()) if (!name.includes('inner')) rmSync(path.join(root, name));
      if (destroy === 'overwrite')
        for (const name of listed) {
          mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
          writeFileSync(path.join(root, name), 'other\n');
        }
      await restoreRescue(made.repo, { ...save(made), point: rescue.oid });
      const after = readAll(root);
      const shown = changed.filter(({ status }) => status !== 'deleted').map(({ file: name }) => name);
      const exact = point.exact.map(({ file: name }) => name);
      for (const name of exact) expect(after.get(name), name).toEqual(before.get(name));
      const bytesIn = (all: typeof after, name: string) => {
        const entry = all.get(name);
        return entry && 'bytes' in entry ? entry.bytes : entry?.link;
      };
      for (const name of shown) expect(bytesIn(after, name), name).toBe(bytesIn(before, name));
      const again = await saveRescue(made.repo, { ...save(made), run: 'again', reason: 'restored' });
      const differ = await made.temp.git('diff-tree', '-r', '-z', '--name-only', rescue.oid, again.oid);
      for (const name of shown) expect(differ.split('\0'), name).not.toContain(name);
    }),
    { numRuns: isSoak ? 60 : 3 },
  );
}, 120_000);
