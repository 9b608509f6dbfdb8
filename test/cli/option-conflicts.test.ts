// Which options refuse each other's company, as a person types them; and that every refusal names both.
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseWords } from '../../src/cli/parse-arguments.ts';
import { Failure } from '../../src/failure.ts';
import { longFlag } from '../../src/start/run-options.ts';

function refusalOf(words: string): Failure | undefined {
  try {
    parseWords(words.split(' '));
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

test.each([
  ['run a.md --task 2 --from 1', ['--from', '--task']],
  ['a.md --tasks-only --review first', ['--tasks-only', '--review']],
  ['run a.md --fresh --take-edits', ['--take-edits', '--fresh']],
  ['run a.md --trust --trust-hash 3f', ['--trust', '--trust-hash']],
  ['run a.md -q -v', ['--quiet', '--verbose']],
  ['run a.md --dry-run --json', ['--dry-run', '--json']],
  ['run a.md --push', ['--push', '--pr']],
  ['review --report-only --pr', ['--report-only', '--pr']],
  ['review --quiet --verbose', ['--quiet', '--verbose']],
  ['plan --from a.md --issue 3', ['--issue', '--from']],
  ['plan --resume --from a.md', ['--resume', '--from']],
  ['plan --resume --issue 3', ['--resume', '--issue']],
  ['trust --yes --revoke', ['--revoke', '--yes']],
  ['report --json --sarif', ['--sarif', '--json']],
  ['report --findings --lessons', ['--findings', '--lessons']],
])('%s', (words, flags) => {
  const refusal = refusalOf(words);
  expect(refusal).toMatchObject({ code: 'usage', exit: 2 });
  for (const flag of flags) expect(refusal?.message).toContain(flag);
});

test.each([
  'run a.md --task 2 --max-tasks 1',
  'run a.md --from 2 --fresh',
  'run a.md --pr --push',
  'run a.md --trust --json --verbose',
  'plan --resume --trust-hash 3f',
  'plan --from a.md --yes',
  'report --findings --json',
  'undo 3 --with-later',
])('%s is understood', (words) => {
  expect(refusalOf(words)).toBeUndefined();
});

test('every option that another refuses or needs is there', () => {
  const all = new Set(commands.flatMap(({ options }) => options.map(longFlag)));
  for (const { options } of commands)
    for (const { excludes, needs } of options)
      for (const other of [...(excludes ?? []), ...(needs ?? [])]) expect(all).toContain(other);
});
