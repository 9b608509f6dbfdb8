// What is carried as git has it: commits that are written and looked through, pushes under a lease, remotes that are tried.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { readCarried, writeCarried } from '../../../src/git/carry/carried-commit.ts';
import {
  fetchRefs,
  pushLeased,
  type Remote,
  readRemoteRefs,
  refuseUnknownRemote,
  withOneClock,
  withoutLogin,
} from '../../../src/git/carry/remote.ts';
import type { Repo } from '../../../src/git/run/repo.ts';
import { openTemp, openWithRemote } from '../open.ts';

const remote = { name: 'origin', clockMs: 60_000 };
const ref = 'refs/pawl/r/carried';
const parts = { message: 'carried\n', parents: [] };
const bytes = (text: string) => Buffer.from(text);

test('what is written is read back', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo, temp, oid } = opened;
  const head = await oid();
  const work = await oid('HEAD^{tree}');
  const files = new Map([
    ['journal.ndjson', bytes('{}\n')],
    ['owner.json', bytes('{}')],
    ['evidence-1.md', bytes('é')],
  ]);
  const commit = await writeCarried(repo, { ...parts, files, work, parents: [head] });
  const read = await readCarried(repo, commit);
  expect(read).toMatchObject({ parents: [head], work });
  expect(new Map([...read.files].sort())).toEqual(new Map([...files].sort()));
  expect(await temp.git('show', `${commit}:work/a.txt`)).toBe('a');
});

describe('a tree that pawl did not write is refused', () => {
  const blob = (repo: Repo, text: string) =>
    repo.git(['hash-object', '-w', '--stdin'], { input: text }).then((oid) => oid.trim());
  const commitOf = async (repo: Repo, lines: readonly string[]) => {
    const tree = await repo.git(['mktree', '-z', '--missing'], {
      input: lines.map((line) => `${line}\0`).join(''),
    });
    return (await repo.git(['commit-tree', tree.trim(), '-m', 'x'], { env: who })).trim();
  };
  const who = {
    GIT_AUTHOR_NAME: 'x',
    GIT_AUTHOR_EMAIL: 'x',
    GIT_COMMITTER_NAME: 'x',
    GIT_COMMITTER_EMAIL: 'x',
  };
  const rows: readonly (readonly [string, (oid: string) => string, string])[] = [
    ['another name', (oid) => `100644 blob ${oid}\tsnapshot.json`, 'it holds "snapshot.json"'],
    ['a way out', (oid) => `100644 blob ${oid}\t..`, 'it holds ".."'],
    ['a link', (oid) => `120000 blob ${oid}\tplan.md`, 'plan.md is not a plain file'],
    ['a program', (oid) => `100755 blob ${oid}\towner.json`, 'owner.json is not a plain file'],
    ['too big a file', (oid) => `100644 blob ${oid}\tplan.md`, 'plan.md is too big (128000001 bytes)'],
    ['a line end in a name', (oid) => `100644 blob ${oid}\tevidence-1\n.md`, 'it holds "evidence-1\\n.md"'],
  ];
  test.each(rows)('%s', async (name, line, says) => {
    await using opened = await openTemp();
    const { repo } = opened;
    const oid = await blob(repo, 'x'.repeat(name === 'too big a file' ? 128e6 + 1 : 1));
    const commit = await commitOf(repo, [line(oid)]);
    await expect(readCarried(repo, commit)).rejects.toThrow(says);
  });

  test('a folder where a file belongs, or beside them, a blob instead of a commit', async () => {
    await using opened = await openTemp();
    const { repo } = opened;
    const text = await blob(repo, 'x');
    const inner = (await repo.git(['mktree'], { input: `100644 blob ${text}\tx.sh\n` })).trim();
    const folder = await commitOf(repo, [`040000 tree ${inner}\tplan.md`]);
    await expect(readCarried(repo, folder)).rejects.toThrow('plan.md is not a plain file');
    const other = await commitOf(repo, [`040000 tree ${inner}\tjournal`]);
    await expect(readCarried(repo, other)).rejects.toThrow('it holds "journal"');
    await expect(readCarried(repo, text)).rejects.toThrow('it is not a commit');
  });
});

describe('a push under a lease', () => {
  test('moves ref and branch together, or neither: a stale lease, a branch that went on elsewhere, a ref that must not be there', async () => {
    await using opened = await openWithRemote();
    const { repo, temp, oid, inRemote } = opened;
    const first = await oid();
    await temp.git('commit', '-q', '--allow-empty', '-m', 'second');
    const second = await oid();
    const refs = () => readRemoteRefs(repo, remote, ['*']);
    const push = (old: string | undefined, now: string, on: string) =>
      pushLeased(repo, remote, { ref, old, now, branch: { name: 'run', oid: on } });
    expect(await push(undefined, first, first)).toBe('taken');
    expect(await push(undefined, second, second)).toEqual({ why: '[rejected] (stale info)', of: 'ref' });
    expect(await push(second, second, second)).toEqual({ why: '[rejected] (stale info)', of: 'ref' });
    expect([...(await refs())]).toEqual([
      ['refs/heads/run', first],
      [ref, first],
    ]);
    expect(await push(first, second, second)).toBe('taken');
    await temp.git('switch', '-q', '-c', 'other', first);
    await temp.git('commit', '-q', '--allow-empty', '-m', 'other');
    const other = await oid();
    expect(await push(second, other, other)).toEqual({ why: '[rejected] (non-fast-forward)', of: 'branch' });
    expect(await inRemote('rev-parse', ref, 'run')).toBe(`${second}\n${second}`);
  });

  test('runs no program that the repository’s settings name, as looking and fetching do not', async () => {
    await using opened = await openWithRemote();
    const { temp, home, oid, inRemote } = opened;
    await temp.write('evil.sh', `#!/bin/sh\ntouch '${home}/ran'\n`);
    chmodSync(path.join(temp.path, 'evil.sh'), 0o755);
    for (const name of ['receivepack', 'uploadpack'])
      await temp.git('config', `remote.origin.${name}`, path.join(temp.path, 'evil.sh'));
    expect(await pushLeased(opened.repo, remote, { ref, old: undefined, now: await oid() })).toBe('taken');
    await fetchRefs(opened.repo, remote, [...(await readRemoteRefs(opened.repo, remote, [ref])).keys()]);
    expect(await inRemote('rev-parse', ref)).toBe(await oid());
    expect(existsSync(path.join(home, 'ran'))).toBe(false);
  });

  test('one that does not answer costs one clock, for all that is asked of it; nothing is asked where nothing may be, and no window is opened', async () => {
    await using opened = await openTemp();
    const { temp, home, oid, reopen } = opened;
    const asked = path.join(home, 'asked');
    await temp.write(
      'ssh.sh',
      `#!/bin/sh\necho "$SSH_ASKPASS_REQUIRE$DISPLAY" >>'${asked}'\nexec sleep 100\n`,
    );
    chmodSync(path.join(temp.path, 'ssh.sh'), 0o755);
    await temp.git('remote', 'add', 'origin', 'ssh://host/repo');
    const repo = await reopen({ GIT_SSH_COMMAND: path.join(temp.path, 'ssh.sh'), DISPLAY: ':7' });
    const push = async (given: Remote) => pushLeased(repo, given, { ref, old: undefined, now: await oid() });
    const slow = withOneClock({ ...remote, clockMs: 1_500 });
    expect(await push(slow)).toEqual({ why: expect.stringMatching(/^git push took longer than [12] s/) });
    await expect(readRemoteRefs(repo, slow, [ref])).rejects.toThrow('origin did not answer within 2 s');
    expect(await push({ ...remote, clockMs: 1_500, unattended: true })).toHaveProperty('why');
    const mayAsk = () => Promise.reject(new Failure('git', 'not now'));
    await expect(fetchRefs(repo, { ...remote, mayAsk }, [ref])).rejects.toThrow('not now');
    expect(readFileSync(asked, 'utf8')).toBe(':7\nnever\n');
  });

  test('a remote that is not there is an end with its reason, and without a login', async () => {
    await using opened = await openTemp();
    const { repo, temp, oid } = opened;
    await temp.git('remote', 'add', 'origin', 'file://user:hidden@/nowhere/at/all');
    const end = await pushLeased(repo, remote, { ref, old: undefined, now: await oid() });
    expect(end).toHaveProperty('why');
    expect(withoutLogin('fatal: no https://user:hid@den@host/a, nor ssh://it@host')).toBe(
      'no https://host/a, nor ssh://host',
    );
    await expect(refuseUnknownRemote(repo, 'backup')).rejects.toThrow('no remote named "backup"');
    await expect(refuseUnknownRemote(repo, '--upload-pack=x')).rejects.toThrow('no remote named');
  });
});

test.each([
  ['without atomic pushes', ['receive.advertiseAtomic', 'false'], 'does not support --atomic push'],
  ['that takes no such refs', ['transfer.hideRefs', 'refs/pawl'], 'deny updating a hidden ref'],
])('a remote %s says so at the first push', async (_, setting, says) => {
  await using opened = await openWithRemote();
  const { repo, inRemote, oid } = opened;
  await inRemote('config', ...setting);
  const end = await pushLeased(repo, remote, { ref, old: undefined, now: await oid() });
  expect(end).toMatchObject({ why: expect.stringContaining(says) });
  expect(await inRemote('for-each-ref')).toBe('');
});
