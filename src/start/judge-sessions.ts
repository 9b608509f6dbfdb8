// Whether every session can be started: prompts, reviewers and scripts are checked before anything is paid for.
import path from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../config/stages.ts';
import { Failure } from '../failure.ts';
import { findStartError } from '../process/find-program.ts';
import { type Library, readReviewer, withStagePrompts } from '../prompt/library.ts';
import { type Purpose, tryTemplates } from '../prompt/try-templates.ts';

export type SessionInputs = Readonly<{
  library: Library;
  config: Pick<Config, 'sandbox' | 'review'>;
  root: string;
  env: Readonly<Record<string, string>>;
}>;

/** Throws the first mistake. */
export function judgeSessions(given: SessionInputs, purposes: readonly Purpose[]): void {
  const { library, config } = given;
  tryTemplates(library, purposes);
  for (const stage of withStagePrompts(config.review.stages, library)) {
    for (const reviewer of stage.reviewers)
      readReviewer(library, stage.script === undefined ? reviewer : 'external');
    refuseMissingScript(stage, given);
  }
}

export function purposesOf(
  { finalize, replan, review }: Pick<Config, 'finalize' | 'replan' | 'review'>,
  { tasksOnly }: Readonly<{ tasksOnly?: boolean | undefined }> = {},
): readonly Purpose[] {
  return [
    'task',
    ...(review.stages.length > 0 ? (['review'] as const) : []),
    ...(finalize.prompt !== undefined && !tasksOnly ? (['finalize'] as const) : []),
    ...(replan === 'never' ? [] : (['replan'] as const)),
  ];
}

/** In a sandbox only the working tree is known to exist. */
function refuseMissingScript({ name, script, optional }: Stage, { root, env, config }: SessionInputs): void {
  if (script === undefined || optional) return;
  const isPath = script.includes('/');
  if (!isPath && config.sandbox.kind !== 'none') return;
  const file = isPath ? path.resolve(root, script) : script;
  const problem = findStartError(file, root, env['PATH']);
  if (problem === undefined) return;
  // Without the system call's name, with which Node's own errors begin.
  const reason = problem.message.replace(/^spawn .*? [A-Z]+: /, '');
  throw new Failure('config', `the script of the review stage ${name} cannot be started: ${reason}`, {
    hint: 'Put it there and make it executable, or mark the stage as optional.',
  });
}
