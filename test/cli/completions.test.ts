import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { eachWorld } from './world.ts';

const world = eachWorld();
beforeEach(() => {
  world.write('docs/plans/login.md', '');
  world.write('README.md', '');
});

function pawl(...words: string[]): string {
  const env = { ...world.context().env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };
  return execFileSync(process.execPath, [builtFile('pawl'), ...words], {
    cwd: world.cwd,
    env,
    encoding: 'utf8',
  });
}

const offered = (...words: string[]) =>
  pawl('complete', '--', ...words)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]);

test('commands, options, choices and plans are offered', () => {
  expect(offered('')).toEqual(expect.arrayContaining(['run', 'lint', 'doctor', 'docs/plans/login.md']));
  expect(offered('')).not.toContain('complete');
  expect(offered('do')).toEqual(expect.arrayContaining(['doctor', 'docs/plans/login.md']));
  expect(offered('run', '--dr')).toEqual(['--dry-run']);
  expect(offered('run', '--sandbox', '')).toEqual(['none', 'docker', 'process']);
  world.git('init', '-q');
  const started = JSON.stringify({ type: 'run-started', plan: 'docs/plans/login.md' });
  world.write('.git/pawl/runs/20260102-login/journal.ndjson', `${started}\n`);
  expect(offered('run', '')).toEqual(['docs/plans/login.md']);
  expect(offered('logs', '')).toEqual(['docs/plans/login.md', '20260102-login']);
  expect(offered('config', '')).toEqual(['show', 'schema', 'path']);
  expect(offered('completions', 'z')).toEqual(['zsh']);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('a script for %s asks pawl complete', (shell) => {
  expect(pawl('completions', shell)).toMatch(/pawl[^\n]* complete '?--/);
});

test.each([
  ['st', ['status', 'stats', 'stop', 'steer']],
  ['docs/', ['docs/plans/login.md']],
  ['$(touch evil)', []],
])('bash, without any package, completes %s, however often it has read the script', (word, found) => {
  world.program('pawl', `exec "${process.execPath}" "${builtFile('pawl')}" "$@"`);
  const script = world.write('completions.sh', pawl('completions', 'bash'));
  const ask = `. ${script}; . ${script}; COMP_WORDS=(pawl '${word}'); COMP_CWORD=1; _pawl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', ask], {
    cwd: world.cwd,
    env: world.context().env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter(Boolean).sort()).toEqual(found.toSorted());
  expect(existsSync(`${world.cwd}/evil`)).toBe(false);
});
