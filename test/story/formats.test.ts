// Other tools' task lists, run to their end as they lie there: every task in a session of its own, checked, committed, and
// ticked in its own file, which stays where it is.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { expectExit, factsOf, makeScene } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/plans');

/** A fixture's files, and every box that an agent can tick. */
function content(fixture: string): Record<string, string> {
  const folder = path.join(fixtures, fixture);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.flatMap((name) => {
      const whole = path.join(folder, name);
      return path.extname(name) === '' ? [] : [[name, readFileSync(whole, 'utf8')]];
    }),
  );
}

/** Each session writes a file named after its task, whatever the task is, and the changelog of the flat list. */
const turns: readonly Turn[] = [
  {
    when: '# Your task',
    steps: [
      { bash: 'touch CHANGES.txt; date +%N > "work-$$.txt"' },
      { say: 'Done.\n\n{{marker TASK_DONE did it}}' },
    ],
  },
];

const formats = [
  {
    fixture: 'spec-kit',
    file: 'specs/001-short-links/tasks.md',
    tasks: ['1', '3', 'N'],
    branch: '001-short-links',
    document: 'specs/001-short-links/contracts/links.yaml',
  },
  // The only one with a check of its own, which its work turns green.
  { fixture: 'flat', file: 'TODO.md', tasks: ['1', '3'], branch: 'TODO', proven: ['1'] },
  {
    fixture: 'bmad',
    file: 'docs/stories/2.1.export-notes.md',
    tasks: ['2', '2a'],
    branch: '2.1.export-notes',
    left: [12, 13, 27],
  },
  {
    fixture: 'openspec',
    file: 'openspec/changes/add-two-factor/tasks.md',
    tasks: ['1', '2'],
    branch: 'add-two-factor',
    document: 'Passwords alone are not enough.',
  },
];

describe.each(share(formats, 6))(
  '$fixture',
  ({ fixture, file, tasks, branch, left = [], proven = [], ...more }) => {
    test('is run to its end and ticked in its own file', async () => {
      const files: Record<string, string> = { 'README.md': 'A project.\n', ...content(fixture) };
      await using scene = await makeScene({ files, turns, env: { PAWL_BASELINE: 'skip' } });
      const { repo } = scene;
      const checks = fixture === 'flat' ? [] : ['--set', 'checks=["test -f README.md"]'];
      const ended = await expectExit(0, scene.pawl('run', file, '--json', '--trust', ...checks));
      expect(factsOf(ended, 'task-closed').map(({ task, proof }) => [task, proof])).toEqual(
        tasks.map((task) => [task, proven.includes(task) ? 'proven' : 'passed']),
      );
      expect(await repo.git('branch', '--show-current')).toBe(branch);
      const before = files[file] ?? '';
      const lines = before
        .split('\n')
        .map((line, at) =>
          line.includes('(manual)') || left.includes(at + 1) ? line : line.replace('- [ ]', '- [x]'),
        );
      expect(await repo.read(file)).toBe(lines.join('\n'));
      expect(await repo.git('status', '--porcelain')).toBe('');
      if (!('document' in more)) return;
      const prompt = await repo.read(
        path.join('.git/pawl/runs', String(factsOf(ended, 'run-started')[0]?.run), 'sessions/001.prompt.md'),
      );
      expect(prompt).toContain(more.document);
    });
  },
);
