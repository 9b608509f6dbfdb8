// Remotes, by simple-git. The rest is run/repo.ts's: names are bytes, changes effects, hooks carry a mark.
import type { SimpleGit } from 'simple-git';
import { Failure } from '../failure.ts';
import { safeSettings } from './run/git-command.ts';
import type { Repo } from './run/repo.ts';
import { essenceOf } from './run/run-git.ts';

export async function listRemotes(repo: Repo): Promise<readonly string[]> {
  return (await answerOf((await gitIn(repo)).getRemotes())).map(({ name }) => name);
}

/** An unknown remote throws Failure('git'). */
export async function readRemoteUrl(repo: Repo, name: string): Promise<string> {
  return ((await answerOf((await gitIn(repo)).remote(['get-url', name]))) || '').trim();
}

/** These guard against programs that settings and the environment name: `Repo` has made both safe. */
const unsafe = {
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true,
  allowUnsafeCommandBinaries: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true,
  allowUnsafeExec: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
} as const;

/** Loaded when it is asked: most runs never do. */
async function gitIn({ root, env, gitMs }: Repo): Promise<SimpleGit> {
  const { simpleGit } = await import('simple-git');
  const allowEnvironment = Object.keys(env);
  const config = [...safeSettings];
  return simpleGit({ baseDir: root, timeout: { block: gitMs }, allowEnvironment, config, unsafe }).env({
    ...env,
  });
}

async function answerOf<Answer>(asked: PromiseLike<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (cause) {
    throw new Failure('git', `git failed: ${essenceOf((cause as Error).message)}`, { cause });
  }
}
