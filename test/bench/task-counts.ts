// What one task costs in processes and durable effects, counted in a run of its own that is not timed: git through a
// program of its name that keeps a list, effects through the door's observer, the rest by `count-calls.ts`.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from '../helpers/built-pawl.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { makeLeanAgent } from './lean-agent.ts';
import { formatNumber, formatTable } from './measure.ts';
import { gitTime, planOf } from './task-time.ts';
import { makePlace } from './timed-run.ts';

/** Counts what passes up to the first session, and between the closes of the second and the third of three tasks. */
export async function countEffects(): Promise<string> {
  using folder = makeTempFolder();
  const log = path.join(folder.path, 'log');
  const run = promisify(execFile);
  const real = (await run('bash', ['-c', 'type -P git'])).stdout.trim();
  await writeFile(path.join(folder.path, 'git'), gitOf(real, log), { mode: 0o755 });
  using agent = makeLeanAgent();
  await using place = await makePlace({ plan: planOf(3), agent: agent.command, files: 500 });
  const env = {
    ...place.env,
    PATH: `${folder.path}:${place.env['PATH']}`,
    NODE_OPTIONS: `--import=${builtFile('kill-at')} --import=${builtFile('count-calls')}`,
    LIST_EFFECTS_TO: log,
  };
  const args = [builtFile('main'), 'run', 'docs/plans/plan.md', '--trust'];
  await run(process.execPath, args, { cwd: place.repo.path, env });
  return tableOf((await readFile(log, 'utf8')).split('\n'));
}

/** A git that notes its command, pawl's `-c` settings left out, and is the real one. */
function gitOf(real: string, log: string): string {
  return `#!/bin/bash
words=("$@")
while [ "\${words[0]}" = -c ]; do words=("\${words[@]:2}"); done
echo "process \${words[0]}" >> '${log}'
exec '${real}' "$@"
`;
}

function tableOf(lines: readonly string[]): string {
  const at = (label: string) => lines.findIndex((line) => line.endsWith(`\tjournal ${label}`));
  const gitMs = gitTime();
  const parts = [
    ['Up to the first session of a new run', lines.slice(0, at('session-started#1'))],
    ['One task with a check of its own', lines.slice(at('task-closed#2') + 1, at('task-closed#3') + 1)],
  ] as const;
  return parts.map(([name, part]) => formatTable(name, rowsOf(part, gitMs))).join('\n');
}

function rowsOf(lines: readonly string[], gitMs: number): readonly (readonly string[])[] {
  const processes = lines.filter((line) => line.startsWith('process '));
  const kinds = lines.flatMap((line) => /^\d+\t(\w+) /.exec(line)?.[1] ?? []);
  const count = (what: string) => String(lines.filter((line) => line === what).length);
  return [
    [
      'git processes',
      String(processes.length),
      listOf(processes.map((line) => line.slice('process '.length))),
    ],
    [
      '',
      formatNumber(processes.length * gitMs),
      `ms if each were \`git version\` from Node, one after the other`,
    ],
    ['effects', String(kinds.length), listOf(kinds)],
    ['fsyncs', count('fsync'), ''],
    ['looks at /proc', count('look'), 'at the list of processes'],
    ['starts', count('start'), 'of programs by Node itself: agent, checks, commit, shells that start git'],
  ];
}

/** `3 a, 1 b`, the most frequent first. */
function listOf(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const);
  return counts
    .sort((a, b) => b[1] - a[1])
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
