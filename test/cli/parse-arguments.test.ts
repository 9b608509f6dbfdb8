import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseWords } from '../../src/cli/parse-arguments.ts';
import { foreignCommands, foreignOptions } from '../../src/cli/usage-failure.ts';
import { findKey } from '../../src/config/setting-keys.ts';
import { Failure } from '../../src/failure.ts';
import { longFlag } from '../../src/start/option.ts';
import { runOptions } from '../../src/start/run-options.ts';

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
  ['edit a.md --take 3', 'edit', ['a.md'], { take: 3 }],
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
  ['edit --help', { ask: 'help', spec: { name: 'edit' } }],
  ['--version', { ask: 'version', json: false }],
  ['-V --json', { ask: 'version', json: true }],
  ['--json --version', { ask: 'version', json: true }],
])('%j asks for %j', (words, wanted) => {
  expect(asked(words)).toMatchObject(wanted);
});

test.each([
  ['lnt', "usage: unknown command 'lnt'. Did you mean lint?"],
  [
    'xyzzy',
    "usage: unknown command 'xyzzy'. All commands: pawl --help. To run a plan of that name: pawl run xyzzy",
  ],
  ['help lnt', "usage: unknown command 'lnt'. Did you mean lint?"],
  ['run --dryrun a.md', "usage: unknown option '--dryrun'. Did you mean --dry-run?"],
  [
    'steer --use-it',
    `usage: unknown option '--use-it'. Put a text that begins with - after --: pawl steer -- "--…"`,
  ],
  ['run --verbos', "usage: unknown option '--verbos'. Did you mean --verbose?"],
  ['--verison', "usage: unknown option '--verison'. Did you mean --version?"],
  [
    'run a.md --codex',
    "usage: unknown option '--codex'. codex as the agent: --agent codex; as a reviewer: --review external",
  ],
  [
    'a.md --watch',
    "usage: unknown option '--watch'. `pawl web` shows all runs in a browser; `pawl logs -f` follows one in any terminal.",
  ],
  ['--plan', 'usage: unknown option \'--plan\'. To make a plan: pawl plan "what you want"'],
  ['run a.md --session-timeout=1h', "usage: unknown option '--session-timeout=1h'. --set clocks.session=…"],
  ...['--time', '--no-time'].map((flag) => [
    `run a.md ${flag}`,
    `usage: unknown option '${flag}'. Lines begin with their time in files, and in terminals of 100 columns or more.`,
  ]),
  [
    'run a.md --no-keep-awake',
    "usage: unknown option '--no-keep-awake'. A run keeps the machine awake where the system can.",
  ],
  ['resume', "usage: unknown command 'resume'. pawl run resumes a stopped run; pawl continue ends a pause"],
  ['version', "usage: unknown command 'version'. pawl --version"],
  ['run a.md --frobnicate-all', "usage: unknown option '--frobnicate-all'. See: pawl run --help"],
  ['edit a.md b.md', 'usage: pawl edit takes 1 argument, not a.md, b.md. See: pawl edit --help'],
  ['run --task', 'usage: --task needs a value: --task <id>. See: pawl run --help'],
  ['run a.md --dry-run=yes', 'usage: --dry-run takes no value. Leave out =yes'],
  [
    'run --max-tasks 0',
    'usage: --max-tasks takes a whole number of at least 1, not “0”. See: pawl run --help',
  ],
  [
    'run --max-tasks 1.5',
    'usage: --max-tasks takes a whole number of at least 1, not “1.5”. See: pawl run --help',
  ],
  ['logs --session x', 'usage: --session takes a whole number of at least 1, not “x”. See: pawl logs --help'],
  [
    'run --require maybe',
    'usage: --require takes one of proven, passed, unchecked, not “maybe”. See: pawl run --help',
  ],
  ['run --tamper fail', "usage: unknown option '--tamper'. --set tamper=…"],
  [
    'run --sandbox dcoker',
    'usage: --sandbox takes one of none, docker, process, not “dcoker”. Did you mean docker?',
  ],
  ['set budgt 3', 'usage: <what> takes budget, not “budgt”. Did you mean budget?'],
  ['undo', 'usage: missing argument <task>: Task to undo. See: pawl undo --help'],
  [
    'completions tcsh',
    'usage: <shell> takes one of bash, zsh, fish, powershell, not “tcsh”. Did you mean bash?',
  ],
])('%s is refused', (words, wanted) => {
  expect(refused(words)).toBe(wanted);
});

test('options that stand for settings say what the schema says', () => {
  const keyed = runOptions.filter((option) => option.key !== undefined && !option.key.startsWith('!'));
  expect(keyed.length).toBeGreaterThan(8);
  for (const option of keyed) {
    const key = findKey(option.key ?? '');
    expect(key, option.flags).toBeDefined();
    expect(option.says, option.flags).toBe(key?.meaning);
    if (option.choices) expect(option.choices, option.flags).toEqual(key?.choices);
  }
  for (const { key = '' } of runOptions)
    if (key.startsWith('!')) expect(findKey(key.slice(1))?.kind).toBe('switch');
});

test('every command says what it does, with examples, and no option twice', () => {
  for (const spec of commands.filter((one) => one.hidden !== true)) {
    expect(spec.says, spec.name).toMatch(/^[A-Z].*\.$/);
    expect(spec.examples.length, spec.name).toBeGreaterThan(0);
    const names = spec.options.map(({ flags }) => flags);
    expect(new Set(names).size, spec.name).toBe(names.length);
  }
});

test('what is named to who comes from another tool is there', () => {
  const flags = new Set(commands.flatMap((spec) => spec.options.map(longFlag)));
  const hints = [...Object.values(foreignOptions), ...Object.values(foreignCommands)];
  const named = hints.flatMap((hint) => [...hint.matchAll(/pawl ([a-z]+)/g)].map(([, word]) => word));
  for (const word of named) expect(commands.map(({ name }) => name)).toContain(word);
  const said = hints.flatMap((hint) => hint.match(/(?<!\S)--[a-z-]+/g) ?? []);
  for (const flag of said) expect([...flags, '--version']).toContain(flag);
  for (const word of Object.keys(foreignCommands))
    expect(commands.map(({ name }) => name)).not.toContain(word);
});
