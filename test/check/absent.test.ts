// What checks name that is not there; and all that may be there, or come, of which nothing is said.
import { expect, test } from 'vitest';
import { findAbsent } from '../../src/check/absent.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ scripts: { test: 'x', 'test:e2e': 'y', lint: 'z' } }),
  'web/package.json': JSON.stringify({ scripts: { build: 'x' } }),
  'broken/package.json': '{',
  Makefile: 'test: build\n\tx\nbuild:\n\ty\n.PHONY: test\n',
  'c/Makefile': 'include more.mk\ntest:\n\tx\n',
  'p/Makefile': '%.o: %.c\n\tcc $<\n',
  justfile: 'test name="x":\n  x\n',
  'Taskfile.yml': 'tasks:\n  test: x\n',
  'run.sh': 'x',
};
const find = (command: string, cwd = '.') => findAbsent(command, cwd, (file) => files[file])?.says;

test.each([
  ['npm run nope', 'package.json has no script nope'],
  ['npm run tset', 'package.json has no script tset'],
  ['CI=1 npm run test:e2 -- --x', 'package.json has no script test:e2'],
  ['cd web && npm test', 'web/package.json has no script test'],
  ['npm --prefix web run biuld', 'web/package.json has no script biuld'],
  ['pnpm run nope', 'package.json has no script nope'],
  ['node --run nope', 'package.json has no script nope'],
  ['npm run lint && npm run nope', 'package.json has no script nope'],
  ['make nope', 'Makefile has no target nope'],
  ['make -j4 tset', 'Makefile has no target tset'],
  ['make test nope V=1', 'Makefile has no target nope'],
  ['make -C web test', 'there is no Makefile'],
  ['just nope', 'justfile has no target nope'],
  ['task nope', 'Taskfile.yml has no target nope'],
  ['./run-tests.sh', 'there is no run-tests.sh'],
  ['bash scripts/x.sh --all', 'there is no scripts/x.sh'],
  ['python3 check.py', 'there is no check.py'],
  ['timeout 5 ./x.sh', 'there is no x.sh'],
  ['./gradlew test', 'there is no gradlew'],
])('%s: %s', (command, says) => expect(find(command)).toBe(says));

test.each([
  'npm test',
  'npm t',
  'npm run lint --if-present',
  'npm run test:*',
  'npm run $WHAT',
  'npm start',
  'npm ci',
  'npx nope',
  'npm run nope -w web',
  'npm run nope --workspaces',
  'pnpm nope',
  'yarn nope',
  'yarn run tsc',
  'bun run src/x.ts',
  'make',
  'make test',
  'make run.sh',
  'just test nope',
  'just',
  './run.sh',
  './build/check.sh',
  './node_modules/.bin/x.js',
  './a.out',
  '/opt/x.sh',
  'python -m nope',
  'node -e 1',
  'npm run nope || true',
  'if npm run nope; then x; fi',
  'npm run lint && node dist/x.js',
  'cp a.sh b.sh && ./b.sh',
  'cd .. && npm run nope',
])('of %s nothing is said', (command) => expect(find(command)).toBeUndefined());

test.each([
  ['make -C c nope', '.'],
  ['make x.o', 'p'],
  ['npm run nope', 'broken'],
])('nor of %s in %s, where it cannot be known', (command, cwd) => expect(find(command, cwd)).toBeUndefined());
