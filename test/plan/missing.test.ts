// Programs of checks that are not there: what a command begins with, and whether a task may still bring it.
import { describe, expect, test } from 'vitest';
import { firstProgram, programsOf } from '../../src/plan/missing.ts';
import { parsePlan } from '../../src/plan/parse.ts';

test.each([
  ['pytest -q', 'pytest'],
  ['  pytest', 'pytest'],
  ['pytest; true', 'pytest'],
  ['pytest|cat', 'pytest'],
  ['CI=1 A=b/c pytest', 'pytest'],
  ['# all\n\npytest', 'pytest'],
  ['g++ a.cc', 'g++'],
  ['python3.12 -m x', 'python3.12'],
  ['./run.sh', undefined],
  ['bin/x', undefined],
  ['/usr/bin/x', undefined],
  ['cd web && pytest', undefined],
  ['test -f a', undefined],
  ['[ -f a ]', undefined],
  ['! pytest', undefined],
  ['"pytest" -q', undefined],
  ['$RUNNER', undefined],
  ['pytest=1', undefined],
  ['if pytest; then :; fi', undefined],
  ['PATH=x:$PATH pytest', undefined],
  ['. venv/bin/activate && pytest', undefined],
  ['pytest; source x', undefined],
  ['pytest() { true; }; pytest', undefined],
  ['', undefined],
])('“%s” begins with %s', (command, program) => expect(firstProgram(command)).toBe(program));

/** Two tasks that say something, each with a check of its own. */
function plan(one: string, two = 'Do two', overview = 'All.') {
  return parsePlan(
    `# P\n\n## Overview\n${overview}\n\n## Checks\n- \`lint-it\`\n\n### Task 1: A\n- check: \`test-it\`\n- [ ] ${one}\n\n### Task 2: B\n- check: \`test-it\`\n- check: \`end-it\` (at end)\n- [ ] ${two}\n`,
    'plan.md',
  );
}

describe('a program that is not there', () => {
  /** `brought` ones with a `+`. */
  const look = (parsed: ReturnType<typeof plan>, ...known: readonly string[]) =>
    programsOf(parsed, parsed.checks)
      .filter(({ program }) => !known.includes(program))
      .map(({ check, program, isBrought }) => `${check.id} ${program}${isBrought ? '+' : ''}`)
      .join(', ');
  const nobody = 'plan:1 lint-it, task:1:1 test-it, task:2:1 test-it, task:2:2 end-it';

  test.each<[string, readonly [string, string?, string?], string]>([
    ['nobody brings', ['Do one'], nobody],
    [
      'the first task brings, for itself and all after it',
      ['Install `test-it` and Lint-It'],
      'plan:1 lint-it+, task:1:1 test-it+, task:2:1 test-it+, task:2:2 end-it',
    ],
    [
      'a later task brings: too late for a check of the plan or an earlier task',
      ['Do one', 'Install test-it, lint-it, end-it'],
      'plan:1 lint-it, task:1:1 test-it, task:2:1 test-it+, task:2:2 end-it+',
    ],
    ['the overview speaks of', ['Do one', 'Do two', 'Uses lint-it.'], nobody.replace('lint-it', 'lint-it+')],
    ['is spoken of at the end of a word', ['Install mytest-it'], nobody],
    ['another word holds its name', ['Install test-it-all'], nobody],
  ])('%s', (_, texts, found) => expect(look(plan(...texts))).toBe(found));

  test('a name longer than any file’s is no program', () => {
    const long = 'a'.repeat(60_000);
    expect(look(parsePlan(`### Task 1: A\n- check: \`${long}\`\n- [ ] b ${long}\n`, 'p'))).toBe('');
  });

  test('is none where it is known, excused, or no task is open', () => {
    expect(look(plan('Do one'), 'lint-it', 'test-it', 'end-it')).toBe('');
    const excused = plan('x').text.replace('`lint-it`', '`lint-it` (known red)');
    expect(look(parsePlan(excused, 'p'), 'test-it', 'end-it')).toBe('');
    expect(look(parsePlan(plan('x').text.replaceAll('[ ]', '[x]'), 'p'))).toBe('');
  });
});
