// What one task costs in processes and durable effects, counted in a run of its own that is not timed: git through a
// program of its name that keeps a list, effects through the door's observer.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeLeanAgent } from './lean-agent.ts';
import { wordTable } from './measure.ts';
import { planOf } from './task-time.ts';
import { makePlace } from './timed-run.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Counts what passes between the closes of the second and the third of three tasks. */
export async function countEffects(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pawl-count-'));
  try {
    const log = path.join(folder, 'log');
    const real = (await promisify(execFile)('bash', ['-c', 'type -P git'])).stdout.trim();
    await writeFile(path.join(folder, 'git'), gitOf(real, log), { mode: 0o755 });
    await using agent = await makeLeanAgent();
    await using place = await makePlace({ plan: planOf(3), agent: agent.command, files: 500 });
    const env = {
      ...place.env,
      PATH: `${folder}:${place.env['PATH']}`,
      NODE_OPTIONS: `--import=${path.join(root, 'test/helpers/kill-at.ts')}`,
      LIST_EFFECTS_TO: log,
    };
    const args = [path.join(root, 'src/main.ts'), 'run', 'docs/plans/plan.md', '--trust'];
    await promisify(execFile)(process.execPath, args, { cwd: place.repo.path, env });
    return tableOf((await readFile(log, 'utf8')).split('\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  const at = (close: number) => lines.findIndex((line) => line.endsWith(`journal task-closed#${close}`));
  const ofTask = lines.slice(at(2) + 1, at(3) + 1);
  const processes = ofTask.filter((line) => line.startsWith('process '));
  const effects = ofTask
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.replace(/^\d+\t|#\d+$/g, ''));
  const kinds = ['journal', 'git', 'file'].map((kind) => [
    kind,
    String(effects.filter((effect) => effect.startsWith(`${kind} `)).length),
  ]);
  return wordTable('One task with a check of its own', [
    [
      'git processes',
      String(processes.length),
      listOf(processes.map((line) => line.slice('process '.length))),
    ],
    [
      'effects',
      String(effects.length),
      listOf(kinds.flatMap(([kind = '', count]) => Array(Number(count)).fill(kind))),
    ],
  ]);
}

/** `3 a, 1 b`, the most frequent first. */
function listOf(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const);
  return counts
    .sort((a, b) => b[1] - a[1])
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
