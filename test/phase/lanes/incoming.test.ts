// Who moved the run's branch while tasks are worked on in lanes: a person, or a session that left its lane.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { eventVersion } from '../../../src/event.ts';
import { foldHead } from '../../../src/journal/fold-history.ts';
import { noteOthersCommits } from '../../../src/phase/lanes/incoming.ts';
import { identityOf } from '../../../src/work/session/identity.ts';
import { openTemp } from '../../git/open.ts';
import { fact } from '../../helpers/facts.ts';

/** The run's own tree as a start of it finds it, after some facts. */
async function look(
  made: Awaited<ReturnType<typeof openTemp>>,
  facts: readonly Fact[],
  { takeEdits = false, base }: Readonly<{ takeEdits?: boolean; base: string }>,
): Promise<readonly string[]> {
  const draft: Record<string, unknown> = {};
  for (const each of facts) foldHead(draft as never, { ...each, v: eventVersion, at: '' });
  const told: string[] = [];
  const started = { branch: 'main', base, plan: 'plan.md', planPlace: 'tracked', run: 'r' };
  const state = () => ({ ...draft, started, interventions: [] });
  const emit = (event: { text: string }) => told.push(event.text);
  const run = { id: 'r', state, options: { takeEdits }, emit };
  await noteOthersCommits({ repo: made.repo, run } as never, await made.oid());
  return told;
}

test('a commit of a session in the run’s own tree stops it, also at the next start, until a person takes it', async () => {
  await using made = await openTemp({ files: { a: 'a\n' } });
  const base = await made.oid();
  expect(await look(made, [], { base })).toEqual([]);
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'by hand');
  expect(await look(made, [], { base })).toEqual([expect.stringContaining('1 commit on main by hand')]);
  const env = identityOf({}, 'r', 3);
  const who = [
    '-c',
    `user.name=${env['GIT_COMMITTER_NAME']}`,
    '-c',
    `user.email=${env['GIT_COMMITTER_EMAIL']}`,
  ];
  await made.temp.git(...who, 'commit', '-q', '--allow-empty', '-m', 'Evil\n\nPawl-Run: r\nPawl-Task: 3');
  const head = await made.oid();
  const stopped = fact('run-ended', { head });
  for (const facts of [[], [stopped]])
    await expect(look(made, facts, { base })).rejects.toThrow('session 3 made 2 commits on main itself');
  expect(await look(made, [stopped], { base, takeEdits: true })).toEqual([]);
  // What landed on it since was asked about before.
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'landed');
  expect(await look(made, [stopped, fact('task-closed', { oid: await made.oid() })], { base })).toEqual([]);
});
