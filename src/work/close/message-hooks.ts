// Runs commit-message hooks in the sandbox, else by git. A refusal ends the run; an edit must keep pawl's trailers.

import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { boundText } from '../../check/evidence.ts';
import { fixed } from '../../config/fixed.ts';
import { Failure } from '../../failure.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { configuredChecks } from '../work.ts';
import { judgeEdited } from './commit-message.ts';

type Needed = Pick<Place, 'sandbox' | 'repo' | 'spawn' | 'sweep' | 'shell' | 'env'> &
  Readonly<{ run: Pick<Run, 'folder' | 'config' | 'random' | 'signal' | 'emit'> }>;

export const hookWords = { headLines: 20, headBytes: 2048, tailLines: 80, tailBytes: 8192 };

/**
 * The message after the hooks; undefined if a person ended the run. Throws Failure('hook') if a hook refuses.
 */
export async function passMessageHooks(
  place: Needed,
  { task, message }: Readonly<{ task: string; message: string }>,
): Promise<string | undefined> {
  const hooks = place.sandbox?.messageHooks;
  if (hooks === undefined) return message;
  const key = `message ${place.run.random(16)}`;
  const { result, reason, output } = await run(place, hooks.command, { message, key });
  if (result === 'interrupted') return undefined;
  const names = hooks.names.join(' or ');
  if (result !== 'green') {
    const words = boundText(reason ?? output, hookWords).trim();
    throw new Failure('hook', `the ${names} hook rejects the commit message of task ${task}: ${words}`, {
      hint: `The work is kept in ${place.repo.root}. commit.subject makes the first line (“${place.run.config.commit.subject}”): change it or the hook, then run the same command again.`,
    });
  }
  const edited = judgeEdited(message, output.split(`\n${key}\n`)[1] ?? '');
  if ('message' in edited) return edited.message;
  const text = `what the ${names} hook made of the message of task ${task} ${edited.why}; it is committed as it was`;
  place.run.emit({ type: 'noticed', code: 'hook', text });
  return message;
}

async function run(
  place: Needed,
  command: string,
  { message, key }: Readonly<{ message: string; key: string }>,
) {
  const [check] = configuredChecks([command]);
  if (check === undefined) throw new Error('a command is one check');
  const { spawn, sweep, shell, repo } = place;
  const { signal } = place.run;
  return runCheck(
    {
      ...{ spawn, sweep, shell, signal, root: repo.root },
      env: { ...place.env, GIT_EDITOR: ':', PAWL_MESSAGE: message, PAWL_MESSAGE_KEY: key },
      mark: `PAWL_CHECK=${place.run.folder}/commit`,
      timeoutMs: fixed.commitMs,
    },
    check,
    { cwd: '.', log: path.join(place.run.folder, inRun.checks, 'commit-message.log') },
  );
}
