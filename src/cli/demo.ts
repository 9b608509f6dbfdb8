// `pawl demo`: the main job on a throw-away repository, by default with the scripted agent and labelled as that.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFolders } from '../config/folders.ts';
import { demoFiles, demoPlan } from '../demo/demo-script.ts';
import { makeFolder, removeOwnFolder, writeFileAtomic } from '../effect.ts';
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';
import { type CliContext, print } from './context.ts';
import { runPlan } from './run.ts';
import { runQuietly } from './run-quietly.ts';

export type DemoOptions = Readonly<{ agent?: 'scripted' | 'claude'; keep?: boolean }>;

/** Runs the demo; its exit code is the run's. */
export const runDemo: Command<DemoOptions> = async (context, _args, { agent = 'scripted', keep = false }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-demo-'));
  try {
    await makeRepository(context, folder);
    print(context, introduction[agent]);
    print(context, `Its repository: ${folder}\n`);
    // Consent and settings of the demo are its own: nothing of the user's is read or written.
    const own = path.join(folder, '.git', 'demo-home');
    const folders = { ...findFolders({}, own), home: context.folders.home };
    const exit = await runPlan({ ...context, cwd: folder, folders }, [demoPlan], {
      trust: true,
      set: settings(context, agent),
    });
    print(
      context,
      keep
        ? `\nThe repository is kept: cd ${folder} && git log --stat`
        : '\nThe repository is removed, and the run with it; --keep leaves both to look at.',
    );
    return exit;
  } finally {
    if (!keep) removeOwnFolder(folder);
  }
};

const introduction = {
  scripted: [
    'pawl demo: three small tasks on a throw-away repository.',
    'The agent is a script, not a model: it says and does what was written down for it, including one mistake,',
    'and names a price that nobody pays. Everything else is real: git, the checks, the correction, the commits.',
    'No key, no network, no cost.',
  ].join('\n'),
  claude: 'pawl demo: three small tasks on a throw-away repository, done by Claude Code. This spends tokens.',
};

function settings(context: CliContext, agent: 'scripted' | 'claude'): readonly string[] {
  if (agent === 'claude') return [];
  const built = path.join(context.packageRoot, 'dist', 'demo-agent.js');
  const script = existsSync(built) ? built : path.join(context.packageRoot, 'src', 'demo', 'agent.ts');
  return [
    `agent.claude.command=${context.nodePath}`,
    `agent.claude.args=${JSON.stringify([script])}`,
    'agent.claude.permissions=dontAsk',
  ];
}

async function makeRepository(context: CliContext, folder: string): Promise<void> {
  for (const [file, content] of Object.entries(demoFiles)) {
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
  for (const command of commands) await git(context, folder, command.split(' '));
}

async function git(context: CliContext, cwd: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runQuietly(context, 'git', args, { cwd, env: { GIT_OPTIONAL_LOCKS: '1' } });
  if (code !== 0) throw new Failure('git', `git ${args.join(' ')} failed: ${stderr.trim()}`);
}
