// The messages of pawl's commits, with the trailers that resuming reads, and the hooks that may edit them in a sandbox.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runCheck } from '../../check/checks.ts';
import { boundText } from '../../check/evidence.ts';
import { fixed } from '../../config/fixed.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { FindingState } from '../../journal/fold-review.ts';
import { inRun } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { wrapText } from '../../width.ts';
import { plainCheck, type Work } from '../work.ts';

const longestBody = 2_000;
const longest = 72;

export function closeMessage(place: Pick<Place, 'run'>, work: Work, closing: FactOf<'closing'>): string {
  const subject = fillSubject(place.run.config.commit.subject, {
    title: work.task.title,
    task: work.task.id,
    plan: work.plan.title,
  });
  return joinMessage([subject, plainBody(closing.summary), formatTrailers(place, closing)]);
}

export function fixMessage(
  place: Pick<Place, 'run'>,
  { closing, fixed }: Readonly<{ closing: FactOf<'closing'>; fixed: readonly FindingState[] }>,
): string {
  const [only] = fixed;
  const what = only && fixed.length === 1 ? only.title : `${fixed.length} review findings`;
  const list = fixed.map(({ file, line, title, reason = '' }) => {
    const place = line === 0 ? file : `${file}:${line}`;
    return `- ${oneLine(`${place}: ${title}`)}${reason === '' ? '' : `\n  ${oneLine(reason)}`}`;
  });
  const names = fixed.map(({ id }) => `Pawl-Finding: ${id}`);
  return joinMessage([
    fillSubject(`fix: ${what}`, {}),
    plainBody(list.join('\n')),
    plainBody(closing.summary),
    formatTrailers(place, closing, names),
  ]);
}

export function squashMessage(
  { run }: Pick<Place, 'run'>,
  title: string,
  parts: readonly Readonly<{ subject: string; keys: readonly string[] }>[],
): string {
  return joinMessage([
    fillSubject(run.config.commit.subject, { title, task: '', plan: title }),
    parts.map(({ subject }) => `- ${oneLine(subject)}`).join('\n'),
    [
      `Pawl-Run: ${run.id}`,
      ...provenTrailer(run.state()),
      ...parts.flatMap(({ keys }) => keys.map((key) => `Pawl-Close: ${key}`)),
      ...coAuthorOf(run),
    ].join('\n'),
  ]);
}

/** For the run's last commit: a task's own may be older than its proof. */
export function provenTrailer({ tasks }: RunState): readonly string[] {
  const proven = [...tasks.values()].filter((task) => proofWordOf(task) === 'proven');
  return proven.length === 0 ? [] : [`Pawl-Proven: ${proven.map(({ id }) => id).join(', ')}`];
}

function coAuthorOf({ config }: Pick<Place['run'], 'config'>): readonly string[] {
  return config.commit.coAuthor === undefined ? [] : [`Co-Authored-By: ${config.commit.coAuthor}`];
}

/** Accepts hooks' edits only if pawl's trailers are unchanged, and no more of their kind. */
export function judgeEdited(
  own: string,
  edited: string,
): Readonly<{ message: string }> | Readonly<{ why: string }> {
  const trailersOf = (message: string) =>
    message.split('\n').flatMap((line) => (/^\s*Pawl-/i.test(line) ? [line.trim()] : []));
  const [before, after] = [trailersOf(own), trailersOf(edited)];
  const lost = before.find((trailer) => !after.includes(trailer));
  if (edited.trim() === '' || edited.length > longestEdited) return { why: 'is empty, or too long' };
  if (lost !== undefined) return { why: `has no “${lost}” any more` };
  if (before.length !== after.length) return { why: 'has its own lines that begin with “Pawl-”' };
  return { message: edited };
}

const longestEdited = 12_000;

function formatTrailers(
  { run }: Pick<Place, 'run'>,
  closing: FactOf<'closing'>,
  more: readonly string[] = [],
): string {
  return [
    `Pawl-Run: ${run.id}`,
    `Pawl-Task: ${closing.task}`,
    ...more,
    `Pawl-Checks: ${closing.proof}`,
    `Pawl-Close: ${closing.key}`,
    ...coAuthorOf(run),
  ].join('\n');
}

export function joinMessage(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** git refuses a NUL, and a terminal would obey the others. */
function dropControls(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '');
}

function fillSubject(template: string, values: Readonly<Record<string, string>>): string {
  const line = dropControls(fillPattern(template, values).replaceAll(/\s+/g, ' ')).trim();
  const letters = [...line];
  return letters.length <= longest ? line : `${letters.slice(0, longest - 1).join('')}…`;
}

/**
 * A placeholder without a value becomes empty. `{title:lower}` begins small, as commitlint wants, unless the
 * first word has other capitals.
 */
export function fillPattern(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(title|task|plan)(:lower)?\}/g, (_, name: string, lower?: string) => {
    const { [name]: value = '' } = values;
    return lower ? value.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase()) : value;
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Shown whole by git: no line passes for a comment, or signs for pawl or a person. */
function plainBody(summary: string): string {
  const text = [...dropControls(summary).trim()].slice(0, longestBody).join('');
  return text
    .split('\n')
    .flatMap((line) => wrapText(line.trimEnd(), longest, { hang: hangOf(line) }))
    .map((line) => line.replace(/^#/, ' #').replace(forgeable, '$1 -').trimEnd())
    .join('\n');
}

/** Below a list item's text. */
function hangOf(line: string): number {
  return /^\s*(?:[-*] |\d+\. )?/.exec(line)?.[0].length ?? 0;
}

/** Who did or answers for something. Others, such as `Fixes:`, are the agent's to write. */
const forgeable = /^(Pawl-[A-Za-z-]*|[A-Za-z]+(?:-[A-Za-z]+)*-by):/i;

export const hookWords = { headBytes: 2048, tailBytes: 8192 };

/**
 * The message after the hooks; undefined if a person ended the run. Throws Failure('hook') if a hook refuses.
 */
export async function passMessageHooks(
  place: Place,
  { task, message }: Readonly<{ task: string; message: string }>,
): Promise<string | undefined> {
  const hooks = place.sandbox?.messageHooks;
  if (hooks === undefined) return message;
  const key = `message ${place.run.random(16)}`;
  const { result, reason, output } = await runCheck(
    {
      ...place,
      signal: place.run.signal,
      root: place.repo.root,
      env: { ...place.env, GIT_EDITOR: ':', PAWL_MESSAGE: message, PAWL_MESSAGE_KEY: key },
      timeoutMs: fixed.commitMs,
    },
    plainCheck('config:1', hooks.command),
    path.join(place.run.folder, inRun.checks, 'commit-message.log'),
  );
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
