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

/** A planted breach: a file that is added or laid over one, and the rule it breaks. */
const plants: readonly (readonly [string, Source, Breach['rule']])[] = [
  [
    'a phase that prints',
    { file: 'phase/x.ts', text: "// X.\nimport { formatEvent } from '../report/events/format-event.ts';\n" },
    'rooms',
  ],
  [
    'a reporter that decides',
    { file: 'report/x.ts', text: "// X.\nimport { judgeRound } from '../phase/task/judge.ts';\n" },
    'rooms',
  ],
  [
    'git that knows the plan',
    { file: 'git/x.ts', text: "// X.\nimport { parsePlan } from '../plan/parse.ts';\n" },
    'rooms',
  ],
  [
    'a check that knows the agent, by a lazy import',
    { file: 'check/x.ts', text: "// X.\nexport const x = () => import('../agent/claude/claude.ts');\n" },
    'rooms',
  ],
  [
    'a phase that starts programs itself',
    { file: 'phase/x.ts', text: "// X.\nimport { createSpawn } from '../process/spawn.ts';\n" },
    'rooms',
  ],
  ['execa beside its door', { file: 'check/x.ts', text: "// X.\nimport { execa } from 'execa';\n" }, 'doors'],
  [
    'child processes beside the door',
    { file: 'git/x.ts', text: "// X.\nimport { spawn } from 'node:child_process';\n" },
    'doors',
  ],
  ['pino beside its door', { file: 'phase/x.ts', text: "// X.\nimport { pino } from 'pino';\n" }, 'doors'],
  [
    'the markdown parser beside its door',
    { file: 'prompt/x.ts', text: "// X.\nimport { fromMarkdown } from 'remark-parse';\n" },
    'doors',
  ],
  [
    'a file that writes on its own',
    { file: 'check/x.ts', text: "// X.\nimport { writeFileSync } from 'node:fs';\n" },
    'effects',
  ],
  [
    'a phase that reads the environment',
    { file: 'phase/x.ts', text: '// X.\nexport const x = process.env;\n' },
    'process',
  ],
  ['a command that exits', { file: 'cli/x.ts', text: '// X.\nprocess.exit(1);\n' }, 'process'],
  [
    'a judgement that reads a file',
    { file: 'work/judge/judge.ts', text: "// X.\nimport { readFileSync } from 'node:fs';\n" },
    'pure',
  ],
  [
    'a judgement with a clock',
    { file: 'work/judge/judge.ts', text: '// X.\nexport const x = () => Date.now();\n' },
    'pure',
  ],
  [
    'a fold with chance',
    { file: 'journal/state.ts', text: '// X.\nexport const x = () => Math.random();\n' },
    'pure',
  ],
  [
    'a file that says that it is pure, and asks the clock',
    { file: 'phase/x.ts', text: '// X. Pure.\nexport const x = () => Date.now();\n' },
    'pure',
  ],
  ['a file without its sentence', { file: 'phase/x.ts', text: 'export const x = 1;\n' }, 'opening'],
  [
    'a file that holds too much',
    { file: 'phase/x.ts', text: `// X.\n${'export const x = 1;\n'.repeat(260)}` },
    'length',
  ],
  ['a drawer', { file: 'phase/utils.ts', text: '// X.\n' }, 'names'],
  ['a barrel', { file: 'phase/index.ts', text: '// X.\n' }, 'names'],
  [
    'what only a later Node has',
    { file: 'phase/x.ts', text: '// X.\nexport const x = () => new DisposableStack();\n' },
    'node',
  ],
  [
    'a circle',
    { file: 'work/judge/judge.ts', text: "// X.\nimport { attempt } from '../loop/attempt.ts';\n" },
    'circles',
  ],
  [
    'a circle of folders',
    { file: 'plan/formats/foreign.ts', text: "// X.\nimport { parsePlan } from '../parse.ts';\n" },
    'circles',
  ],
  [
    'a circle by a lazy import',
    {
      file: 'cli/completions.ts',
      text: "// X.\nexport const load = () => import('./parse-arguments.ts');\n",
    },
    'circles',
  ],
  [
    'a circle of types',
    { file: 'check/evidence.ts', text: "// X.\nimport type { CheckDeps } from './checks.ts';\n" },
    'circles',
  ],
];

describe('a planted breach is seen', () => {
  test.each(plants)('%s', (_, planted, rule) => {
    const others = sources.filter(({ file }) => file !== planted.file);
    const found = findBreaches([...others, planted]).filter(({ file }) => file === planted.file);
    expect(found.map((breach) => breach.rule)).toContain(rule);
  });
});
