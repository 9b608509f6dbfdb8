// The architecture as a test: which room may import which, one door per library, what pure files may not touch, how a
// file opens and how long it may be. Each rule has its reason; a breach is named with file and rule.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Breach,
  findBreaches,
  findStaleNames,
  findStrayTests,
  type Source,
} from './helpers/architecture.ts';

const src = path.resolve(import.meta.dirname, '../src');

function readSources(): readonly Source[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }));
}

const sources = readSources();

test('the sources keep every rule', () => {
  expect(findBreaches(sources)).toEqual([]);
});

test('the rules name only what there is', () => {
  expect(findStaleNames(sources)).toEqual([]);
  const without = sources.filter(({ file }) => file !== 'journal/fold.ts' && file !== 'journal/lock.ts');
  expect(findStaleNames(without)).toEqual(['journal/fold', 'journal/lock.ts']);
});

test('tests lie where the files lie that they test, and have their names', () => {
  const rooms = readdirSync(import.meta.dirname).filter(
    (room) => !room.includes('.') && existsSync(path.join(src, room)),
  );
  const tests = rooms.flatMap((room) =>
    readdirSync(path.join(import.meta.dirname, room), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(room, file),
    ),
  );
  const planted = ['journal/fold-of-nothing.test.ts', 'journal/lane/lane.test.ts', 'journal/nothing.test.ts'];
  expect(findStrayTests([...tests.filter((file) => file.endsWith('.test.ts')), ...planted], sources)).toEqual(
    ['journal/nothing.test.ts'],
  );
});

/** A planted breach: a file that is added or laid over one, its text below its sentence, and the rule it breaks. */
const plants: readonly (readonly [string, file: string, text: string, rule: Breach['rule']])[] = [
  ['a phase that prints', 'phase/x.ts', "import '../report/events/format-event.ts';", 'rooms'],
  ['a reporter that decides', 'report/x.ts', "import '../phase/task/judge.ts';", 'rooms'],
  ['git that knows the plan', 'git/x.ts', "import { parsePlan } from '../plan/parse.ts';", 'rooms'],
  ['a check that knows the agent, lazily', 'check/x.ts', "import('../agent/claude/claude.ts');", 'rooms'],
  ['a phase that starts programs itself', 'phase/x.ts', "import '../process/spawn.ts';", 'rooms'],
  ['a small tool that knows a room', 'nearest.ts', "import './plan/parse.ts';", 'rooms'],
  ['execa beside its door', 'check/x.ts', "import { execa } from 'execa';", 'doors'],
  ['child processes beside the door', 'git/x.ts', "import { spawn } from 'node:child_process';", 'doors'],
  ['pino beside its door', 'phase/x.ts', "import { pino } from 'pino';", 'doors'],
  ['the markdown parser beside its door', 'prompt/x.ts', "import 'remark-parse';", 'doors'],
  ['a file that writes on its own', 'check/x.ts', "import { writeFileSync } from 'node:fs';", 'effects'],
  ['a phase that reads the environment', 'phase/x.ts', 'export const x = process.env;', 'process'],
  ['a command that exits', 'cli/x.ts', 'process.exit(1);', 'process'],
  ['a judgement that reads a file', 'work/judge/judge.ts', "import 'node:fs';", 'pure'],
  ['a judgement with a clock', 'work/judge/judge.ts', 'export const x = () => Date.now();', 'pure'],
  ['a fold with chance', 'journal/state.ts', 'export const x = () => Math.random();', 'pure'],
  ['one that says that it is pure, with a clock', 'phase/x.ts', '// Pure.\nDate.now();', 'pure'],
  ['a file without its sentence', 'phase/x.ts', '', 'opening'],
  ['a file that holds too much', 'phase/x.ts', 'export const x = 1;\n'.repeat(260), 'length'],
  ['a drawer', 'phase/utils.ts', '', 'names'],
  ['a barrel', 'phase/index.ts', '', 'names'],
  ['what only a later Node has', 'phase/x.ts', 'new DisposableStack();', 'node'],
  ['a circle', 'work/judge/judge.ts', "import { attempt } from '../loop/attempt.ts';", 'circles'],
  ['a circle by a lazy import', 'cli/completions.ts', "import('./parse-arguments.ts');", 'circles'],
  ['a circle of types', 'check/evidence.ts', "import type { CheckDeps } from './checks.ts';", 'circles'],
];

describe('a planted breach is seen', () => {
  test.each(plants)('%s', (_, file, text, rule) => {
    const others = sources.filter((source) => source.file !== file);
    const planted = { file, text: rule === 'opening' ? text : `// X.\n${text}\n` };
    const found = findBreaches([...others, planted]).filter((breach) => breach.file === file);
    expect(found.map((breach) => breach.rule)).toContain(rule);
  });

  test('a circle of folders', () => {
    const planted = { file: 'plan/formats/x.ts', text: "// X.\nimport '../parse.ts';\n" };
    expect(findBreaches([...sources, planted]).map(({ file }) => file)).toContain('plan/formats');
  });
});
