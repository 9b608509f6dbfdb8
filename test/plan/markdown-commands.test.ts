// How fenced blocks are read: line by line, each from the same folder, or as one script.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBlock } from '../../src/plan/markdown-commands.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test.each<[string, readonly string[], (readonly string[])?]>([
  [
    'the same folder twice',
    ['cd bot && npm test', 'cd bot && npx tsc'],
    ['( cd bot && npm test )', '( cd bot && npx tsc )'],
  ],
  ['one line that moves', ['cd web && npm ci', 'npm test'], ['( cd web && npm ci )', 'npm test']],
  ['none that moves', ['npm test', 'npm run lint']],
  [
    'comments and blank lines',
    ['# all', '', 'cd a && x  # first', 'y # "z'],
    ['# all', '', '( cd a && x )', 'y # "z'],
  ],
  [
    'a pipe, redirections',
    ['cd a && x | tee "l o g" 2>&1', 'y &>log || z >/dev/null 2>&1'],
    ['( cd a && x | tee "l o g" 2>&1 )', 'y &>log || z >/dev/null 2>&1'],
  ],
  [
    'what is set for one command',
    ['A=1 B="c d" x', 'cd a && CI=1 y'],
    ['A=1 B="c d" x', '( cd a && CI=1 y )'],
  ],
  ['signs in quotes', [`echo 'a; cd b' "it's && c #" d`, 'x#y']],
])('%s: by line', (_, block, run = block) => {
  expect(readBlock(block.join('\n'))).toBe(run.join('\n'));
});

test.each<[string, readonly string[]]>([
  ['one line', ['cd a && x']],
  ['one line and comments', ['# x', 'cd a && x', '']],
  ['a folder that is left changed', ['cd a', 'x']],
  ['one that is made and entered', ['mkdir -p a && cd a', 'x']],
  ['one that is left again', ['cd a && x', 'cd .. && y']],
  ['one beside it', ['cd a && x', 'cd "../b" && y']],
  ['the one before', ['cd a && x', 'cd - && y']],
  ['a variable', ['A=1', 'cd a && x $A']],
  ['an exported one', ['export A=1 && w', 'cd a && x $A']],
  ['options', ['set -e', 'cd a && x']],
  ['a file that is read in', ['source env.sh', 'cd a && x']],
  ['a function', ['f() { x; }', 'cd a && f']],
  ['a function over lines', ['f() {', '  cd a && x', '}', 'f']],
  ['a loop', ['for x in a b; do', '  cd $x && y', 'done']],
  ['a loop in a line', ['for x in a b; do (cd $x && y); done', 'z']],
  ['a condition', ['if x; then', '  y', 'fi']],
  ['a line that goes on', ['cd a && x \\', '  --y']],
  ['an operator at the end', ['cd a &&', 'x']],
  ['an operator at the beginning', ['cd a', '&& x']],
  ['a pipe at the end', ['x |', 'y']],
  ['a quote over lines', ['node -e "', 'x"']],
  ['a here-document', ['cat <<EOF', 'x', 'EOF']],
  ['a group', ['{', 'x', '}']],
  ['a subshell over lines', ['(', 'cd a', ')']],
  ['a program behind', ['serve &', 'x']],
  ['a trap', ['trap "x" EXIT', 'y']],
  ['an early end', ['x || exit 0', 'y']],
  ['a test and what it ends', ['x', '[ -f a ] && exit 1; true']],
  ['a semicolon', ['cd a; x', 'y']],
  ['a substitution', ['cd b && test "$(echo "y")" = `echo y`', 'x']],
  ['a here-string', ['cd a && cat <<<"x"', 'y']],
  ['a file that is read in there', ['cd a && . venv/bin/activate && pytest', 'cd b && pytest']],
])('%s: one script, as written', (_, block) => {
  expect(readBlock(block.join('\n'))).toBe(block.join('\n'));
});

test('bash runs what was read', () => {
  using dir = makeTempFolder();
  mkdirSync(path.join(dir.path, 'a'));
  writeFileSync(path.join(dir.path, 'a', 'f'), 'x\n');
  const command = readBlock("cd a && cat f # it's\ncd a && cat f | grep -c x\ncat a/f");
  const shown = execFileSync('bash', ['-eo', 'pipefail', '-c', command], { cwd: dir.path, encoding: 'utf8' });
  expect(shown).toBe('x\n1\nx\n');
});
