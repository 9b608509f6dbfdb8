// `pawl hook`: the guard as a hook of a coding agent. `stop` judges the working tree; `install` writes the hook into a
// project's settings.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { digestText } from '../digest.ts';
import { makeFolder } from '../disk.ts';
import { Failure, needFailure } from '../failure.ts';
import { readWorkplace } from '../git/place/workplace.ts';
import { commitPoint } from '../git/rescue/rescue-commit.ts';
import { isSameTree } from '../git/run/ancestry.ts';
import type { Repo } from '../git/run/repo.ts';
import { withCopy, writeIndexTree } from '../git/tree/index-file.ts';
import { orElse } from '../or-else.ts';
import { parseJson } from '../parse-json.ts';
import { refuseSandbox } from '../start/check-programs.ts';
import { consentHint, obtainTrust } from '../start/consent.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { loadSettings, rootOf } from '../start/load-settings.ts';
import { openPlainRepo } from '../start/open-place.ts';
import { findChecks } from '../start/prove/find-checks.ts';
import { judgeStop, type PastStop, type StopAnswer } from '../start/prove/judge-stop.ts';
import { proveWork } from '../start/prove/prove-work.ts';
import { findReviewBase } from '../start/review-base.ts';
import { makeBase } from '../start/run-base.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { Command } from './command.ts';

export const hookCommand: Command<object> = async (context, [what, agent]) => {
  if (what === 'install') return install(context, agent);
  // A session of pawl is judged by pawl.
  if (context.env['PAWL_SESSION'] !== undefined) return 0;
  const answer = await answerStop(context);
  if (answer.decision === 'block') print(context, JSON.stringify(answer));
  else if (answer.told !== undefined) print(context, JSON.stringify({ systemMessage: answer.told }));
  return 0;
};

/** What cannot be judged is let go: a failing hook must hold up no agent. */
async function answerStop(context: CliContext): Promise<StopAnswer> {
  const asked = parseJson(await text(context.stdin)) as { session_id?: unknown } | undefined;
  const session = typeof asked?.session_id === 'string' ? asked.session_id : 'unknown';
  try {
    return await judgeNow(context, session);
  } catch (error) {
    return { decision: 'allow', told: `pawl could not judge this work: ${needFailure(error).message}` };
  }
}

async function judgeNow(context: CliContext, session: string): Promise<StopAnswer> {
  const { root } = needPlace(context);
  const { config } = loadSettings(context);
  const repo = await openPlainRepo(context, { root }, { trusted: false });
  const workplace = await readWorkplace(repo);
  const { head, dirt, untracked } = workplace;
  if (head === '') return { decision: 'allow' };
  const base = await findReviewBase(repo, workplace, { env: context.env }).catch(() => head);
  const isIdle = dirt.length + untracked.length === 0;
  if (isIdle && (await isSameTree(repo, base, head))) return { decision: 'allow' };
  const { checks } = await findChecks(repo, base, { named: [], propose: () => config.checks });
  refuseSandbox(config, 'pawl hook stop');
  await obtainTrust({ ...context, canAsk: false }, { root, checks: checks.map(({ command }) => command) });
  const ground = await makeBase(context, { root, config, trusted: true });
  // Only now: taking files in runs filters.
  const commit = await commitNow(ground.repo, head);
  if (await isSameTree(ground.repo, base, commit)) return { decision: 'allow' };
  const proof = await proveWork(context, { ground, base, head: commit, checks, isQuick: true });
  const file = path.join(context.folders.state, 'hooks', `${digestText(session, 24)}.json`);
  const past = orElse(() => JSON.parse(readFileSync(file, 'utf8')) as readonly PastStop[], []);
  const answer = judgeStop(proof, past, config.task.corrections);
  const { word, reasons } = proof;
  const stop: PastStop = { at: context.now().toISOString(), word, reasons, decision: answer.decision };
  makeFolder(path.dirname(file), 0o700);
  writeFileAtomic(file, `${JSON.stringify([...past, stop])}\n`, 0o600);
  return answer;
}

/** A commit of the working tree with new files; no ref names it. */
async function commitNow(repo: Repo, head: string): Promise<string> {
  const tree = await withCopy(path.join(repo.gitDir, 'index'), 'pawl-hook', async (index) => {
    await repo.write('index of hook', ['add', '-A'], { index });
    return writeIndexTree(repo, index);
  });
  return commitPoint(repo, tree, { parents: [head], message: 'the work as the agent left it\n' });
}

type Settings = {
  hooks?: { Stop?: { hooks?: { command?: string }[] }[] } & Record<string, unknown>;
} & Record<string, unknown>;

/** Of a project; their form is the same. */
const hookFiles: Readonly<Record<string, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
};

/** A hook that is there stays. */
function install(context: CliContext, agent = ''): number {
  const name = hookFiles[agent];
  if (name === undefined)
    throw new Failure('usage', 'pawl hook install knows claude and codex', {
      hint: 'pawl hook install claude',
    });
  const file = path.join(rootOf(context), name);
  const settings = parseJson(existsSync(file) ? readFileSync(file, 'utf8') : '{}') as Settings | undefined;
  if (typeof settings !== 'object' || settings === null)
    throw new Failure('config', `${file} is not JSON`, { hint: 'Mend it, then run the same command again.' });
  const stops = settings.hooks?.Stop ?? [];
  if (stops.some(({ hooks }) => hooks?.some(({ command }) => command === stopCommand))) {
    printNote(context, `${file} has the hook already.`);
    return 0;
  }
  const own = { hooks: [{ type: 'command', command: stopCommand, timeout: 3600 }] };
  makeFolder(path.dirname(file));
  writeFileAtomic(
    file,
    `${JSON.stringify({ ...settings, hooks: { ...settings.hooks, Stop: [...stops, own] } }, null, 2)}\n`,
  );
  print(context, `${file}, hooks.Stop:\n${JSON.stringify(own, null, 2)}`);
  printNote(context, `It judges nothing until the repository is trusted with it. ${consentHint}`);
  if (agent === 'codex') printNote(context, 'codex asks you to trust the hook when it starts next.');
  return 0;
}

const stopCommand = 'pawl hook stop';
