// One carry as a push to a real remote: what becomes of the run's branch there, and of the run when that is refused.
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pushCommand } from '../../../src/event/again.ts';
import { pawlRef } from '../../../src/git/run/refs.ts';
import { openRepo, type Repo } from '../../../src/git/run/repo.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import type { RunState } from '../../../src/journal/state.ts';
import { Carrier } from '../../../src/phase/carry/carrier.ts';
import { keepFenced } from '../../../src/phase/carry/owner.ts';
import { carryRun } from '../../../src/phase/carry/push-run.ts';
import type { Place } from '../../../src/place/place.ts';
import { findTarget } from '../../../src/start/carry/find-carried.ts';
import { depsOf, openWithRemote } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const remote = { name: 'origin', clockMs: 60_000 };
const started = { ...sampleFacts['run-started'], branch: 'run', at: '2026-01-01T00:00:00.000Z', v: 10 };
const ref = pawlRef(started.run, 'carried');
const mine = `Pawl-Run: ${started.run}`;
const ended = { ...sampleFacts['run-ended'], finished: true, at: started.at, v: 10 };
const runState = foldRun([started]) ?? expect.fail();
const finished = foldRun([started, ended]) ?? expect.fail();
const taken = { now: expect.any(String) };

async function openPushed() {
  const opened = await openWithRemote();
  const { temp, repo, oid } = opened;
  const commit = async (message: string, on?: string) => {
    if (on !== undefined) await temp.git('switch', '-q', '--detach', on);
    await temp.git('commit', '-q', '--allow-empty', '-m', message);
    return oid();
  };
  /** Carries a head, after another was. */
  const carry = async (
    head: string,
    last?: Readonly<{ oid: string; head: string }>,
    { from = repo, state = runState }: Readonly<{ from?: Repo; state?: RunState }> = {},
  ) => {
    const own = { remote: 'origin', takenFrom: [], ...last };
    const content = { files: new Map(), tree: undefined, withBranch: true, host: 'laptop', now: new Date(0) };
    return carryRun(from, remote, { state, carry: own, head, ...content });
  };
  return { ...opened, commit, carry };
}

test('what the run rewrote takes the place of what it pushed, and of nothing else; what it took back is not taken for another’s', async () => {
  await using opened = await openPushed();
  const { repo, oid, inRemote, commit, carry } = opened;
  const base = await oid();
  const first = await commit(`a\n\n${mine}`);
  const began = await carry(first);
  expect(began).toEqual(taken);
  const own = { run: started.run, branch: 'run' };
  expect(await findTarget(repo, remote, { ...own, head: base, there: first })).toEqual({
    target: base,
    parted: true,
  });
  expect(await findTarget(repo, remote, { ...own, run: 'other', head: base, there: first })).toEqual({
    ...{ target: first, parted: false },
  });
  const squashed = await commit('squashed', base);
  const again = await carry(squashed, { oid: began.now, head: first });
  expect(again).toEqual(taken);
  expect(await inRemote('rev-parse', 'run', ref)).toBe(`${squashed}\n${again.now}`);
  const theirs = await commit('by a person');
  await opened.temp.git('push', '-q', 'origin', `${theirs}:refs/heads/run`);
  const rewritten = await commit('rewritten', base);
  const last = await carry(rewritten, { oid: again.now, head: squashed });
  expect(last.parted).toContain('which the run does not have');
  expect(await inRemote('rev-parse', 'run', ref)).toBe(`${theirs}\n${last.now}`);
  // An end without its branch is tried, and told, by each start.
  const end = await carry(rewritten, { oid: last.now, head: squashed }, { state: finished });
  expect([end.parted, await oid(ref)]).toEqual([last.parted, last.now]);
  await opened.temp.git('push', '-q', '-f', 'origin', `${squashed}:refs/heads/run`);
  const mended = await carry(rewritten, { oid: last.now, head: squashed }, { state: finished });
  expect([mended.parted, await oid(ref)]).toEqual([undefined, mended.now]);
});

test.each([
  ['of the branch alone', 'update', 'case "$1" in refs/heads/*) exit 1;; esac'],
  [
    'of all because of it',
    'pre-receive',
    'if grep -q refs/heads/; then echo GH006: Protected branch >&2; exit 1; fi',
  ],
])('a server’s refusal %s is told in its words, and the run is carried', async (_, hook, script) => {
  await using opened = await openPushed();
  const file = path.join(opened.bare, 'hooks', hook);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  const { now, parted } = await opened.carry(await opened.oid());
  expect(parted).toMatch(
    hook === 'update'
      ? /does not take the branch run: .*hook declined/
      : /does not take the branch run: .*hook declined.*: GH006: Protected branch/,
  );
  expect(await opened.inRemote('for-each-ref', '--format=%(refname) %(objectname)')).toBe(`${ref} ${now}`);
});

test('commits that are kept from one fence are still there after the next', async () => {
  await using opened = await openPushed();
  const { repo, oid, commit } = opened;
  const base = await oid();
  const keep = (head: string) => keepFenced(repo, { run: 'r', head, theirs: base });
  expect(await keep(base)).toBeUndefined();
  const first = await commit('first');
  const kept = [await keep(first), await keep(await commit('second', base)), await keep(first)];
  expect(kept[0]).toMatch(/^refs\/pawl\/r\/fenced-\w{12}$/);
  expect([kept[0] === kept[1], kept[2]]).toEqual([false, kept[0]]);
  expect(await oid(kept[0] ?? '')).toBe(first);
});

test('another has it where the ref cannot be read; one that is gone is made again, beside a branch that others moved', async () => {
  await using opened = await openPushed();
  const { oid, inRemote, commit, carry } = opened;
  const base = await oid();
  const { now } = await carry(base);
  const last = { oid: now, head: base };
  const tree = await inRemote('rev-parse', `${base}^{tree}`);
  const inRemoteOnly = async (message: string) =>
    inRemote('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit-tree', '-p', base, '-m', message, tree);
  await inRemote('update-ref', ref, await inRemoteOnly('of a later pawl'));
  const head = await commit('ours');
  expect((await carry(head, last)).fenced?.host).toBe('another machine');
  await inRemote('update-ref', '-d', ref);
  const theirs = await inRemoteOnly(`Write b\n\n${mine}`);
  await inRemote('update-ref', 'refs/heads/run', theirs);
  expect((await carry(head, last)).parted).toContain('which the run does not have');
  expect(await inRemote('rev-parse', 'run')).toBe(theirs);
});

test('a push of which nobody heard is the run’s own; one of a copy of the whole clone is another’s', async () => {
  await using opened = await openPushed();
  const { temp, home, bare, oid, inRemote, carry } = opened;
  const head = await oid();
  const first = await carry(head);
  const last = { oid: first.now, head };
  const copied = path.join(home, 'copy');
  cpSync(temp.path, copied, { recursive: true });
  const copy = await openRepo(copied, depsOf(home));
  // The journal knows of the first alone.
  const unheard = await carry(head, last);
  expect(await carry(head, last)).toEqual(taken);
  expect(await inRemote('merge-base', '--is-ancestor', unheard.now, ref)).toBe('');
  const held = await inRemote('rev-parse', ref);
  expect((await carry(head, last, { from: copy })).fenced?.host).toBe('laptop');
  expect(await inRemote('rev-parse', ref)).toBe(held);
  // Nor is what was tried, and did not arrive, taken for what another wrote.
  rmSync(path.join(bare, 'HEAD'));
  await expect(carry(head, { oid: held, head })).rejects.toThrow();
  writeFileSync(path.join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  expect(await carry(head, { oid: held, head })).toEqual(taken);
});

test.each([
  ['back at the second try', 1, undefined],
  ['away for longer', 99, expect.stringContaining('hook declined')],
])('at its end a run tries a remote again that is %s', async (_, refused, why) => {
  await using opened = await openPushed();
  const { repo, temp, home, bare, oid, inRemote } = opened;
  const head = await oid();
  const { now } = await opened.carry(head);
  writeFileSync(path.join(bare, 'hooks/pre-receive'), `echo >> tries; test $(wc -l < tries) -gt ${refused}`, {
    mode: 0o755,
  });
  writeFileSync(path.join(home, 'journal.ndjson'), '');
  const carry = { remote: 'origin', takenFrom: [], oid: now, head };
  const pauses: number[] = [];
  const run = {
    ...{ id: started.run, folder: home, signal: new AbortController().signal, emit: () => {} },
    now: () => new Date(),
    state: () => ({ ...runState, carry, course: { ended: { tree: undefined } } }),
    sleep: async (ms: number) => pauses.push(ms),
  };
  const deps = { host: 'laptop', mask: (text: string) => text, interrupt: () => {} };
  const carrier = new Carrier({ run, repo, index: '' } as unknown as Place, deps);
  await carrier.begin();
  expect(await carrier.finish()).toEqual(why);
  expect(pauses).toHaveLength(why === undefined ? 1 : 2);
  // What it names then is all that is to do, also for a branch that was squashed.
  rmSync(path.join(bare, 'hooks/pre-receive'));
  await temp.git('commit', '-q', '--amend', '--allow-empty', '-m', 'squashed');
  const squashed = await oid();
  await temp.git('branch', 'run', squashed);
  await temp.git(...pushCommand({ started, squashed, carry }).split(' ').slice(1));
  const tried = await oid(ref.replace(/carried$/, 'carrying'));
  expect(await inRemote('rev-parse', 'run', ref)).toBe(`${squashed}\n${tried}`);
});
