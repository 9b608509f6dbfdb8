// `pawl demo`: runs the demo plan on a throw-away repository.
import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFolders } from '../config/folders.ts';
import { projectConfigFile } from '../config/load.ts';
import { isSetting } from '../config/text-layer.ts';
import { demoFiles, demoPlan } from '../demo/demo-script.ts';
import { makeFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { obtainTrust } from '../start/consent.ts';
import { type CliContext, printLines } from '../start/context.ts';
import { runQuietly } from '../start/run-quietly.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { Command } from './command.ts';
import { runPlan } from './run.ts';

export type DemoOptions = Readonly<{ keep?: boolean }>;

export const runDemo: Command<DemoOptions> = async (context, _args, { keep = false }) => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-demo-')));
  try {
    await makeRepository(context, folder, { ...demoFiles, [projectConfigFile('')]: settingsFor(context) });
    // What pawl itself wrote needs no review; what an agent adds does.
    if (keep) await obtainTrust(context, { root: folder, checks: [], trust: true });
    printLines(context, [...introduction, `Its repository: ${folder}`, '']);
    // It touches nothing of the user's.
    const own = path.join(folder, '.git', 'demo-home');
    const folders = { ...findFolders({}, own), home: context.folders.home };
    // The user's settings in the environment would take precedence.
    const env = Object.fromEntries(Object.entries(context.env).filter(([name]) => !isSetting(name)));
    const exit = await runPlan({ ...context, env, cwd: folder, folders }, [demoPlan], {
      trust: true,
      set: ['agent.name=script', 'review.stages=[{name: first, reviewers: [quality]}]'],
    });
    printLines(context, ['', ...(keep ? formatKept(folder) : removed)]);
    return exit;
  } finally {
    if (!keep) removeOwnFolder(folder);
  }
};

const introduction = [
  'pawl demo: two small tasks on a throw-away repository, and a review of them.',
  'The agent is a script, not a model: it says and does what was written for it, with two mistakes. Everything else is real: git, the checks, the second attempt, the proof of what the reviewer found, the commits.',
  'No key, no network, no cost.',
];

const removed = [
  'The demo’s repository has been removed, so the commands above have nothing to work on: `pawl demo --keep` leaves it.',
];

function formatKept(folder: string): readonly string[] {
  return [
    `The repository is kept: cd ${folder}`,
    'There, `pawl report` and `git log --stat` show what was done; `pawl undo 2 --with-later` undoes the last task and what the review added, and `pawl run` does it again.',
  ];
}

function settingsFor({ packageRoot, nodePath }: CliContext): string {
  const built = path.join(packageRoot, 'dist', 'demo-agent.js');
  const script = existsSync(built) ? built : path.join(packageRoot, 'src', 'demo', 'agent.ts');
  const agent = { name: 'script', script: { command: nodePath, args: [script], reportsCost: true } };
  // JSON is valid YAML.
  return `${JSON.stringify({ agent })}\n`;
}

/** `files` by path. */
async function makeRepository(
  context: CliContext,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    makeFolder(path.dirname(path.join(folder, file)));
    writeFileAtomic(path.join(folder, file), content);
  }
  const commands = [
    'init --quiet --initial-branch main',
    'config user.name demo',
    'config user.email demo@example.invalid',
    'config commit.gpgsign false',
    'add --all',
    'commit --quiet --message start',
  ];
  for (const command of commands) {
    const options = { cwd: folder, env: { GIT_OPTIONAL_LOCKS: '1' } };
    const { code, stderr } = await runQuietly(context, 'git', command.split(' '), options);
    if (code !== 0) throw new Failure('git', `git ${command} failed: ${stderr.trim()}`);
  }
}
