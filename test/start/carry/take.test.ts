// Taking a run up: what is refused before the remote is told that it is this machine's.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeCarried } from '../../../src/git/carry/carried-commit.ts';
import { pawlRef } from '../../../src/git/run/refs.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { acquireLock } from '../../../src/journal/lock.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { formatOwner } from '../../../src/phase/carry/owner.ts';
import { listCarried } from '../../../src/start/carry/find-carried.ts';
import { carryEnd } from '../../../src/start/carry/prepare-carry.ts';
import { takeRun } from '../../../src/start/carry/take.ts';
import { findPlaceAt } from '../../../src/start/locate.ts';
import { writeConsent } from '../../../src/trust/consents.ts';
import { trustHash } from '../../../src/trust/trust.ts';
import { findTrustFiles } from '../../../src/trust/trust-files.ts';
import { eachWorld, type World } from '../../cli/world.ts';
import { depsOf } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const { 'run-started': started } = sampleFacts;
const ref = pawlRef(started.run, 'carried');
const world = eachWorld({ git: true });
const git: World['git'] = (...args) => world.git(...args);
const at = '2026-01-01T00:00:00.000Z';

/** A clone of a remote that holds a run of another machine; `brings`: a file that its branch has and the clone has not. */
async function makeCarried(brings?: string) {
  git('commit', '-q', '--allow-empty', '-m', 'a');
  const bare = path.join(world.top, 'bare.git');
  git('init', '-q', '--bare', bare);
  git('remote', 'add', 'origin', bare);
  if (brings !== undefined) {
    world.write(brings, '{}');
    git('add', '.');
    git('commit', '-qm', brings);
  }
  const head = git('rev-parse', 'HEAD');
  const { run, plan, branch } = started;
  const own = { run, plan, branch, host: 'laptop', at, head, ended: false };
  const line = JSON.stringify({ v: 10, at, ...started });
  const files = new Map([
    ['journal.ndjson', Buffer.from(`${line}\n`)],
    ['owner.json', formatOwner(own)],
  ]);
  const repo = await openRepo(world.cwd, depsOf(path.join(world.top, 'home')));
  const oid = await writeCarried(repo, { files, parents: [head], message: 'carried\n' });
  git('push', '-q', 'origin', `${oid}:${ref}`);
  if (brings !== undefined) git('reset', '-q', '--hard', 'HEAD~1');
  return { oid, held: () => git(`--git-dir=${bare}`, 'rev-parse', ref) };
}

test('in a repository that nobody has trusted, also where somebody could be asked: nothing of it is run, and the remote is told nothing', async () => {
  const { oid, held } = await makeCarried();
  world.program('evil', `touch '${world.top}/ran'`);
  git('config', 'remote.origin.receivepack', path.join(world.bin, 'evil'));
  for (const canAsk of [true, false])
    await expect(takeRun(world.context({ canAsk }), started.run, {})).rejects.toMatchObject({
      code: 'trust',
      message: 'this repository is not trusted here',
    });
  expect(held()).toBe(oid);
  expect(existsSync(path.join(world.top, 'ran'))).toBe(false);
});

test('a run with other files that make programs run than the clone that was trusted: the remote is told nothing', async () => {
  const { oid, held } = await makeCarried('lib/.claude/commands/go.md');
  writeConsent(world.context().folders, world.cwd, { files: findTrustFiles(world.cwd), at: 'now' });
  for (const canAsk of [true, false])
    await expect(takeRun(world.context({ canAsk }), started.run, {})).rejects.toMatchObject({
      code: 'trust',
      message: expect.stringContaining('lib/.claude/commands/go.md'),
    });
  expect(held()).toBe(oid);
});

test('with consent to other files than there are now, or the hash of others: the remote is told nothing', async () => {
  const { oid, held } = await makeCarried();
  world.trust();
  for (const options of [{ trustHash: '0'.repeat(64) }, {}]) {
    if (options.trustHash === undefined) world.write('.pawl/config.yaml', 'jobs: 2\n');
    await expect(takeRun(world.context(), started.run, options)).rejects.toMatchObject({ code: 'trust' });
  }
  expect(held()).toBe(oid);
});

test.each([
  ['of the clone', {}, ['mine.txt']],
  ['of the command', { set: ['worktree.copy=more.txt'] }, ['more.txt']],
])('the ground is made by the settings %s, also where a hash trusts it', async (_, options, copied) => {
  world.write('.pawl/config.yaml', 'worktree: { copy: [mine.txt] }\n');
  world.write('.gitignore', '*.txt\n');
  world.commit('settings');
  for (const file of ['mine.txt', 'more.txt']) world.write(file, 'here\n');
  await makeCarried();
  const hash = trustHash(findTrustFiles(world.cwd));
  const taken = await takeRun(world.context(), started.run, { ...options, trustHash: hash });
  taken?.reserved?.[Symbol.dispose]();
  const { path: root = '' } = taken?.worktree ?? {};
  expect(readdirSync(root).filter((file) => file.endsWith('.txt'))).toEqual(copied);
});

function writeLife(...facts: readonly object[]): string {
  const folder = path.join(world.cwd, '.git/pawl/runs', started.run);
  mkdirSync(folder, { recursive: true });
  const lines = [started, ...facts].map((fact) => `${JSON.stringify({ v: 10, at, ...fact })}\n`);
  writeFileSync(path.join(folder, 'journal.ndjson'), lines.join(''));
  return folder;
}

const take = () => takeRun(world.context(), started.run, { trust: true });

test('a run that was carried last from here, or is at work here, is not taken up', async () => {
  const { oid } = await makeCarried();
  writeLife(sampleFacts['carry-begun'], { ...sampleFacts['carry-done'], oid });
  await expect(take()).rejects.toThrow('already belongs to this repository');
  writeLife();
  using _lock = acquireLock(path.join(world.cwd, '.git'), started.run, new Date());
  await expect(take()).rejects.toThrow('already belongs to this repository');
});

test('a take-up that was cut off is begun anew, where an earlier life of the run is, whose commits are kept', async () => {
  const { oid, held } = await makeCarried();
  writeLife(sampleFacts['carry-begun'], sampleFacts['carry-fenced']);
  const inTheWay = path.join(world.context().folders.state, 'grounds');
  mkdirSync(path.dirname(inTheWay), { recursive: true });
  writeFileSync(inTheWay, '');
  const mine = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'never carried');
  git('branch', started.branch, mine);
  await expect(take()).rejects.toThrow();
  expect(held()).not.toBe(oid);
  rmSync(inTheWay);
  const taken = await take();
  taken?.reserved?.[Symbol.dispose]();
  expect(taken).toMatchObject({ worktree: { from: world.cwd } });
  expect(git('rev-parse', pawlRef(started.run, `fenced-${mine.slice(0, 12)}`))).toBe(mine);
  await expect(take()).rejects.toThrow('already belongs to this repository');
});

test('the end of a run that was killed before it was carried is carried by the next start, once', async () => {
  const { oid } = await makeCarried();
  const [head, tree] = [git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD^{tree}')];
  const ended = { ...sampleFacts['run-ended'], finished: true, head, tree };
  const folder = writeLife(sampleFacts['carry-begun'], { ...sampleFacts['carry-done'], oid, head }, ended);
  const state = foldRun(readJournal(folder)) ?? expect.fail();
  const run = { run: started.run, folder, started: state.started, at: new Date(at) };
  const place = findPlaceAt(world.cwd) ?? expect.fail();
  const carry = async () => (await world.run((context) => carryEnd(context, { place, run, state }), {})).exit;
  const bare = path.join(world.top, 'bare.git');
  const away = () => renameSync(bare, `${bare}.away`);
  away();
  expect(await carry()).toBe(8);
  renameSync(`${bare}.away`, bare);
  expect(await carry()).toBe(0);
  const owner = git(`--git-dir=${bare}`, 'show', `${ref}:owner.json`);
  expect(JSON.parse(owner)).toMatchObject({ run: started.run, ended: true });
  expect(git(`--git-dir=${bare}`, 'rev-parse', started.branch)).toBe(head);
  away();
  expect(await carry()).toBe(0);
});

test('what is wrong in one ref of a remote is told, and keeps nobody from the runs in others', async () => {
  const { oid } = await makeCarried();
  const bare = path.join(world.top, 'bare.git');
  const head = git('rev-parse', 'HEAD');
  const inRemote = (...args: readonly string[]) => git(`--git-dir=${bare}`, ...args);
  const broken = git('cat-file', 'commit', head).replace(/^author .*$/m, 'author A 1700000000 +0000');
  writeFileSync(path.join(world.top, 'broken'), `${broken}\n`);
  const file = path.join(world.top, 'broken');
  const evil = inRemote('hash-object', '-t', 'commit', '-w', '--literally', file);
  inRemote('update-ref', 'refs/pawl/evil/carried', evil);
  inRemote('update-ref', 'refs/pawl/other/carried', oid);
  const repo = await openRepo(world.cwd, depsOf(path.join(world.top, 'home')));
  const { runs, strange } = await listCarried(repo, { name: 'origin', clockMs: 60_000 });
  expect(runs.map(({ run, files }) => [run, ...files.keys()])).toEqual([[started.run, 'owner.json']]);
  expect(strange.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^refs\/pawl\/evil\/carried: git fetch failed: .*missingEmail/),
    `refs/pawl/other/carried: it says that it is run ${started.run}`,
  ]);
});
