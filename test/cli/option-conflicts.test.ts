// Which options refuse each other's company, as a person types them; and that every refusal names both and what to leave out.
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
  ['run a.md --task 2 --from 1', '--from and --task exclude each other'],
  ['a.md --tasks-only --review first', '--tasks-only and --review exclude each other'],
  ['run a.md --fresh --take-edits', '--take-edits and --fresh exclude each other'],
  ['run a.md --trust --trust-hash 3f', '--trust and --trust-hash exclude each other'],
  ['run a.md -q -v', '--quiet and --verbose exclude each other'],
  ['run a.md --dry-run --json', '--dry-run and --json exclude each other'],
  ['run a.md --push', '--push has no effect without --pr'],
  ['review --report-only --pr', '--report-only and --pr exclude each other'],
  ['review --quiet --verbose', '--quiet and --verbose exclude each other'],
  ['plan --from a.md --issue 3', '--issue and --from exclude each other'],
  ['plan --resume --from a.md', '--resume and --from exclude each other'],
  ['plan --resume --issue 3', '--resume and --issue exclude each other'],
  ['trust --yes --revoke', '--revoke and --yes exclude each other'],
  ['report --json --sarif', '--sarif and --json exclude each other'],
  ['report --findings --lessons', '--findings and --lessons exclude each other'],
])('%s', (words, sentence) => {
  const refusal = refusalOf(words);
  expect(refusal).toMatchObject({ code: 'usage', exit: 2 });
  expect(refusal?.message).toBe(sentence);
  expect(refusal?.hint).toMatch(/^(Leave out|Add) --/);
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
