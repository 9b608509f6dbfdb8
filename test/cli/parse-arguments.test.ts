import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { gone } from '../../src/cli/gone.ts';
import { parseWords } from '../../src/cli/parse-arguments.ts';
import { findKey } from '../../src/config/setting-keys.ts';
import { readFlagLayer } from '../../src/config/text-layer.ts';
import { Failure } from '../../src/failure.ts';
import { listOptions, longFlag, runOptions } from '../../src/start/run-options.ts';

const asked = (words: string) => parseWords(words === '' ? [] : words.split(' '));

function refused(words: string): string {
  try {
    asked(words);
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}. ${error.hint}`;
    throw error;
  }
  throw new Error(`${words} was understood`);
}

test.each<[string, string, string[], object]>([
  ['run a.md', 'run', ['a.md'], {}],
  ['a.md', 'run', ['a.md'], {}],
  ['docs/plan', 'run', ['docs/plan'], {}],
  ['a.md b.md --dry-run', 'run', ['a.md', 'b.md'], { dryRun: true }],
  ['--keep-going a.md', 'run', ['a.md'], { keepGoing: true }],
  ['run', 'run', [], {}],
  ['run a.md --task 2.5 --max-tasks 3', 'run', ['a.md'], { task: '2.5', maxTasks: 3 }],
  ['run a.md --set strict=true --set branch=b', 'run', ['a.md'], { set: ['strict=true', 'branch=b'] }],
  ['run a.md --max-cost=2.50 -v --from 2', 'run', ['a.md'], { maxCost: '2.50', verbose: true, from: '2' }],
  ['lint --json a.md', 'lint', ['a.md'], { json: true }],
  ['status', 'status', [], {}],
  ['answer 3 use it', 'answer', ['3', 'use', 'it'], {}],
  ['config schema', 'config', ['schema'], {}],
  ['rescue restore 3 a.ts', 'rescue', ['restore', '3', 'a.ts'], {}],
  ['complete -- run --dr', 'complete', ['run', '--dr'], {}],
])('%s', (words, name, args, options) => {
  const got = asked(words);
  expect(got).toMatchObject({ ask: 'command', spec: { name }, args });
  if (got.ask === 'command') expect(definedOf(got.options)).toEqual(options);
});

const definedOf = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

test.each([
  ['', { ask: 'help', misused: true }],
  ['--help', { ask: 'help' }],
  ['-h', { ask: 'help' }],
  ['help', { ask: 'help' }],
  ['help run', { ask: 'help', spec: { name: 'run' } }],
  ['help --all', { ask: 'help', all: true }],
  ['--help --all', { ask: 'help', all: true }],
  ['help fleet take', { ask: 'help', spec: { name: 'fleet take' } }],
  ['fleet take login', { ask: 'command', spec: { name: 'fleet take' }, args: ['login'] }],
  ['fleet 3f2a', { ask: 'command', spec: { name: 'fleet' }, args: ['3f2a'] }],
  ['run --help', { ask: 'help', spec: { name: 'run' } }],
])('%j asks for %j', (words, wanted) => {
  expect(asked(words)).toMatchObject(wanted);
});

test.each([
  ['lnt', "usage: unknown command 'lnt'. Did you mean lint?"],
  ['xyzzy', 'All commands: pawl help --all. To run a plan of that name: pawl run xyzzy'],
  ['help lnt', "usage: unknown command 'lnt'. Did you mean lint?"],
  ['run --dryrun a.md', "usage: unknown option '--dryrun'. Did you mean --dry-run?"],
  ['steer --use-it', 'Put a text that begins with - after --: pawl steer -- "--…"'],
  ['--verison', "usage: unknown option '--verison'. Did you mean --version?"],
  ['take login', "usage: unknown command 'take'. Did you mean fleet take?"],
  ['worker', "usage: unknown command 'worker'. pawl fleet work"],
  ['edit a.md', "unknown command 'edit'. Any editor edits a plan."],
  ['findings', "usage: unknown command 'findings'. pawl report --findings"],
  ['run --tamper fail', "usage: unknown option '--tamper'. pawl run PLAN --set tamper=fail"],
  ['run --junit=out.xml a.md', "usage: unknown option '--junit=out.xml'. pawl report --json"],
  ['run --frobnicate a.md', 'See: pawl run --help. A setting (docs/settings.md): --set key=value'],
  ['a.md --frobnicate', 'See: pawl run --help. A setting (docs/settings.md): --set key=value'],
  ['lint --frobnicate-all', "usage: unknown option '--frobnicate-all'. See: pawl lint --help"],
  ['undo 1 2', "usage: too many arguments for 'undo'."],
  ['run --task', "usage: option '--task <id>' argument missing. See: pawl run --help"],
  ['run --max-tasks 1.5', "argument '1.5' is invalid. It takes a whole number of at least 1."],
  ['run --pr --watch 8', "argument '8' is invalid. It takes a time with its unit"],
  ['logs --since soon', "argument 'soon' is invalid. It takes a time with its unit"],
  ['run --sandbox dcoker', "'dcoker' is invalid. Allowed choices are none, docker, process."],
  ['undo', 'usage: missing argument <task>: Task to undo. See: pawl undo --help'],
])('%s is refused', (words, wanted) => {
  expect(refused(words)).toContain(wanted);
});

test('options that stand for settings say and take what the schema does', () => {
  const keyed = listOptions(runOptions).filter((option) => option.key !== undefined);
  expect(keyed.length).toBeGreaterThan(8);
  for (const { key: name = '', says, choices } of keyed)
    expect(findKey(name)).toMatchObject({ meaning: says, choices: choices ?? [] });
});

test('every command says what it does, with examples, and no option twice', () => {
  for (const spec of commands.filter((one) => one.hidden !== true)) {
    expect(spec.says, spec.name).toMatch(/^[A-Z].*\.$/);
    expect(spec.examples.length, spec.name).toBeGreaterThan(0);
    const names = spec.options.map(({ flags }) => flags);
    expect(new Set(names).size, spec.name).toBe(names.length);
  }
});

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
])('options refuse each other’s company, and both are named: %s', (words, flags) => {
  const [says = ''] = refused(words).split('. ');
  expect(says).toMatch(/^usage: /);
  for (const flag of flags) expect(says).toContain(flag);
});

test('every option that another refuses or needs is there', () => {
  const all = new Set(commands.flatMap(({ options }) => options.map(longFlag)));
  for (const { options } of commands)
    for (const { excludes, needs } of options)
      for (const other of [...(excludes ?? []), ...(needs ?? [])]) expect(all).toContain(other);
});

test.each(Object.entries(gone))('%s is no more, and what serves instead is understood', (_, serves) => {
  for (const [, words = ''] of serves.matchAll(/\bpawl ([a-z][^,:;'|]*)/g)) {
    const said = words.replace(/ (?:asks|commits|waits|names) .*/, '').trim();
    if (/^(?:asks|commits|waits|names)\b/.test(said)) continue;
    const answer = asked(said);
    expect(answer.ask).toBe('command');
    const set = answer.ask === 'command' ? (answer.options['set'] ?? []) : [];
    expect(readFlagLayer([], set as readonly string[]).problems).toEqual([]);
  }
});
