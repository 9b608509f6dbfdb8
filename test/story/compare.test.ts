// One plan by several contenders from one commit: their table, what a kill and a second start leave of it, who reviews them,
// and what is refused before the first one starts.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { killAt, makeNight, type Night } from '../helpers/night.ts';
import { type Ended, tell } from '../helpers/pawl.ts';
import { complaint, fields } from '../helpers/review.ts';
import { makeAgent } from '../helpers/script.ts';
import { inSoak } from '../helpers/share.ts';

const clean: Turn = { when: { schema: true }, steps: [{ answer: { findings: [] } }] };

const sloppy: readonly Turn[] = [
  onTask('a', [write('wrong'), done], true),
  onTask('a', [{ bash: 'echo a > a.txt; echo more > rest.txt' }, done]),
  onTask('b', [write('b'), done]),
];

const liar: readonly Turn[] = [onTask('a', [write('a'), done]), onTask('b', [done])];

type Arena = AsyncDisposable & { night: Night; words: readonly string[]; names: readonly string[] };

/** Three agents of one kind, told apart by the program that plays them; the plan's own agent reviews. */
async function makeArena(
  env: Readonly<Record<string, string>> = {},
  first = honest('a', 'b'),
): Promise<Arena> {
  const stack = new AsyncDisposableStack();
  const reviewer: Turn = {
    when: fields.quality,
    steps: [{ answer: { findings: [complaint({ file: 'a.txt' })] } }],
  };
  const night = stack.use(
    await makeNight({ turns: [reviewer, clean], env: { PAWL_TASK_ATTEMPTS: '2', ...env } }),
  );
  const agents = [];
  for (const turns of [first, sloppy, liar]) agents.push(stack.use(await makeAgent(turns)));
  const names = agents.map(
    ({ command }, at) => `claude:${['m1', 'm2', 'm3'][at]} agent.claude.command=${command}`,
  );
  const words = names.flatMap((name) => ['--with', name]);
  return { night, words, names, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const plan = 'docs/plans/plan.md';
const compare = ({ night, words }: Arena, ...args: string[]) =>
  night.pawl('compare', plan, ...words, '--trust', '--format', 'json', ...args);
const tableOf = (ended: Ended) => JSON.parse(ended.stdout);

/** Branches that a comparison made. */
const branchesOf = async ({ night: { repo } }: Arena) =>
  (await repo.git('branch', '--list', 'compare/*', '--format=%(refname:short)')).split('\n').filter(Boolean);

describe('three contenders', () => {
  test('from one commit, at the same time, reviewed by the same reviewer, never merged; told in three forms', async () => {
    await using arena = await makeArena();
    const { night } = arena;
    const { repo } = night;
    await repo.write('README.md', 'not committed\n');
    const ended = await compare(arena, '--jobs', '3');
    expect(ended.exit, tell(ended)).toBe(0);
    const { contenders, base } = tableOf(ended);
    expect(base).toBe(await repo.git('rev-parse', 'main'));
    expect(contenders).toMatchObject([
      { name: arena.names[0], standing: 'finished', tasks: { closed: 2, total: 2 }, tally: { attempts: 2 } },
      { name: arena.names[1], standing: 'finished', tasks: { closed: 2, total: 2 }, tally: { attempts: 3 } },
      { name: arena.names[2], standing: 'stopped', tasks: { closed: 1, total: 2 }, exit: 1 },
    ]);
    expect(contenders.map(({ difference }: never) => difference)).toMatchObject([
      { files: 2 },
      { files: 4 },
      {},
    ]);
    expect(contenders.map(({ review }: never) => review)).toMatchObject([
      { shared: true, found: { major: 1 } },
      { shared: true, found: { major: 1 } },
      { shared: true, found: { major: 1 } },
    ]);
    // Nothing of the person's has moved.
    expect(await repo.git('status', '--porcelain')).toBe(' M README.md');
    expect(await repo.git('branch', '--show-current')).toBe('main');
    expect(await repo.read(plan)).toBe(letterPlan('a', 'b'));
    const branches = await branchesOf(arena);
    expect(branches).toHaveLength(3);
    for (const branch of branches) expect(await repo.git('merge-base', 'main', branch)).toBe(base);

    // The same command shows it again, and spends nothing.
    const again = await compare(arena);
    expect(again.exit, tell(again)).toBe(0);
    expect(tableOf(again)).toEqual(tableOf(ended));
    const text = await night.pawl('compare', 'plan');
    expect(text.stdout).toMatch(/^tasks closed +2 of 2 +2 of 2 +1 of 2$/m);
    const markdown = await night.pawl('compare', plan, '--format', 'markdown');
    expect(markdown.stdout).toContain('| tasks closed | 2 of 2 | 2 of 2 | 1 of 2 |');
    const runs = contenders.map(({ run }: never) => run);
    const old = await night.pawl('compare', ...runs.slice(0, 2));
    expect(old.stdout, tell(old)).toMatch(/^tasks closed +2 of 2 +2 of 2$/m);

    // What it names as left is all there is, and the commands remove it.
    const commands = [...again.stderr.matchAll(/^ {2}(git branch -D \S+|pawl discard --yes \S+)/gm)].map(
      ([, each = '']) => each,
    );
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const [program, ...rest] = command.split(' ');
      if (program === 'git') await repo.git(...rest);
      else {
        const discarded = await night.pawl(...rest);
        expect(discarded.exit, tell(discarded)).toBe(0);
      }
    }
    expect(await branchesOf(arena)).toEqual([]);
    expect((await repo.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });

  inSoak('killed in the middle of the second one: the same command goes on, and redoes nothing', async () => {
    await using arena = await makeArena({ ...killAt('journal session-started#3') });
    const { night } = arena;
    const killed = await compare(arena, '--review', '');
    expect(killed.signal, tell(killed)).toBe('SIGKILL');
    delete (night.env as Record<string, string>)['NODE_OPTIONS'];
    const ended = await compare(arena, '--review', '');
    expect(ended.exit, tell(ended)).toBe(0);
    expect(ended.stderr).toContain('Comparison plan-1 goes on');
    expect(tableOf(ended).contenders).toMatchObject([
      { standing: 'finished', tally: { sessions: 2 } },
      { standing: 'finished', tasks: { closed: 2 } },
      { standing: 'stopped', tasks: { closed: 1 } },
    ]);
    const runs = path.join(night.repo.path, '.git/pawl/runs');
    expect(await readdir(runs)).toHaveLength(3);
    expect(await branchesOf(arena)).toHaveLength(3);
  });

  test('one that cannot start is refused by name before any of them does, and nothing is made', async () => {
    await using arena = await makeArena();
    const { night } = arena;
    const refused = await night.pawl(
      'compare',
      plan,
      ...arena.words,
      '--with',
      'claude:m4 agent.claude.command=/none',
      '--trust',
    );
    expect(refused.exit, tell(refused)).toBe(7);
    expect(refused.stderr).toContain('claude:m4 agent.claude.command=/none: ');
    expect(await branchesOf(arena)).toEqual([]);
    expect(await night.repo.exists('.git/pawl/runs')).toBe(false);
  });
});
