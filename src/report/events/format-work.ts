// Formats work beside the tasks, the review, and what experiments show of all work.
import type { FactOf } from '../../event.ts';
import { closeOf } from '../../journal/task-state.ts';
import { placeOf, toneOfStage } from '../findings/findings.ts';
import { formatCount, formatList, formatMs, shortOid } from '../text/figure.ts';
import { type Line, line, span, spanned } from '../text/line.ts';
import type { Formats, RenderContext, Told } from './render-context.ts';

export const workFormats = {
  'run-squashed': ({ commits, to, kept }) =>
    line(
      'good',
      `${formatCount(commits, 'commit')} became ${shortOid(to)}; the old ones are kept as \`${kept}\``,
    ),
  'work-planned': ({ fix }) =>
    line(
      'plain',
      fix
        ? `${formatList(fix.findings)} ${fix.findings.length === 1 ? 'is' : 'are'} given to a fixer`
        : 'One session finalizes the work',
      1,
    ),
  'work-ended': (fact) => (fact.fix ? formatFix(fact) : formatFinalized(fact)),
  'replan-started': ({ replan, task, reason }) =>
    line('head', `Re-plan ${replan}, at task ${task}: ${reason}`),
  'replan-taking': ({ diff }) => diff.map((text) => line(toneOf(text), text, 1)),
  'replan-ended': (fact) => [
    line(replanEnds[fact.result][0], `Re-plan ${fact.replan}: ${formatReplanEnd(fact)}`),
    ...formatKept(fact.rescue),
  ],
  'proof-judged': formatProof,
} satisfies Formats;

function formatFinalized({ result, reason, oid, rescue }: FactOf<'work-ended'>): readonly Line[] {
  switch (result) {
    case 'committed':
      return [line('good', `Finalized in ${shortOid(oid ?? '')}: ${reason}`)];
    case 'nothing':
      return [line('plain', `Finalized: ${reason}`)];
    case 'failed':
      return [line('warn', `Not finalized: ${reason}`), ...formatKept(rescue)];
  }
}

/** Its close and commit have just been shown. */
function formatFix({ result, reason, rescue, doubts = [] }: FactOf<'work-ended'>): readonly Line[] {
  switch (result) {
    case 'committed':
      return doubts.map(({ finding, text }) => line('warn', `${finding}: ${text}`, 1));
    case 'nothing':
      return [line('plain', `Nothing was changed: ${reason}`, 1)];
    case 'failed':
      return [line('bad', `Not fixed: ${reason}`, 1), ...formatKept(rescue)];
  }
}

export function formatKept(rescue: string | undefined): readonly Line[] {
  return rescue === undefined
    ? []
    : [line('dim', `its work is kept: pawl rescue show ${shortOid(rescue)}`, 1)];
}

export function formatReplanEnd({ result, reason }: FactOf<'replan-ended'>): string {
  return `${replanEnds[result][1]}${reason}`;
}

const replanEnds = {
  taken: ['good', 'the plan was changed: '],
  refused: ['warn', 'refused, because it would weaken the plan: '],
  unchanged: ['plain', ''],
  failed: ['warn', 'no other plan: '],
} as const;

function toneOf(text: string): Line['tone'] {
  if (text.startsWith('+')) return 'good';
  return text.startsWith('-') ? 'bad' : 'dim';
}

/** If the word is the one that the task was closed with, only what experiments add. */
function formatProof(
  { task = '', word, reasons, experiments }: FactOf<'proof-judged'>,
  { state }: RenderContext,
): readonly Line[] {
  const seen = experiments ? formatExperiments(experiments) : [];
  const known = state?.tasks.get(task);
  const isSame = known && closeOf(known)?.proof === word && word === 'proven';
  if (isSame) return seen.length === 0 ? [] : [line('dim', `Task ${task}: ${seen.join(' · ')}`, 1)];
  const tone = word === 'unchecked' ? 'warn' : 'plain';
  const sign = word === 'unchecked' ? span('warn', '! ') : span('good', '✓ ');
  const why = word === 'proven' || reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  const told = seen.length === 0 ? [] : [span('dim', `  ${seen.join(' · ')}`)];
  return [spanned(tone, [sign, `Task ${task} ${word}${why}`, ...told])];
}

type Experiments = NonNullable<FactOf<'proof-judged'>['experiments']>;

/** A sentence each; the hunks first. */
export function formatExperiments(experiments: Experiments): readonly string[] {
  const { hunks, indifferent, runs, durationMs, stopped } = experiments;
  return [
    ...formatHunks(hunks),
    ...(experiments.withoutWork === 'red' ? ['its tests: red without the work'] : []),
    ...(indifferent.length > 0 ? [`green without the work: ${formatList(indifferent)}`] : []),
    `${formatCount(runs, 'run')} of the checks, ${formatMs(durationMs)}${stopped === undefined ? '' : `; ${stopped}`}`,
  ];
}

function formatHunks(hunks: Experiments['hunks']): readonly string[] {
  const { onlyRemoving, withoutCode, untried } = hunks;
  const parts = [
    ...(hunks.lines > 0 ? [`${hunks.provenLines} of ${formatCount(hunks.lines, 'line')} proven`] : []),
    ...(hunks.unproven.length > 0 ? [`unproven: ${hunks.unproven.map(formatUnproven).join(', ')}`] : []),
    ...(onlyRemoving > 0 ? [`${formatCount(onlyRemoving, 'hunk')} only removed`] : []),
    ...(withoutCode > 0 ? [`${formatCount(withoutCode, 'hunk')} without code`] : []),
    ...(untried > 0 ? [`${formatCount(untried, 'hunk')} not tried`] : []),
  ];
  return parts.length === 0 ? [] : [parts.join(' · ')];
}

function formatUnproven({ file, from, to, executed }: Experiments['hunks']['unproven'][number]): string {
  const why = executed === undefined ? '' : executed ? ' (executed, not missed)' : ' (never executed)';
  return `${file}:${from}${to > from ? `-${to}` : ''}${why}`;
}

export const reviewFormats = {
  'stage-started': ({ stage, reviewers }) => line('head', `Review ${stage}: ${formatList(reviewers)}`),
  'stage-ended': ({ stage, end, reason }) =>
    line(toneOfStage({ end, optional: false }), `Review ${stage}: ${end} (${reason})`),
  'review-round-started': ({ round, head }) => line('plain', `Round ${round} at ${shortOid(head)}`, 1),
  // The last one ends for the stage's reason, shown next.
  'review-round-ended': ({ verdict, round, reason }) =>
    verdict === 'again' ? [line('dim', `Round ${round} ended: ${reason}; another round follows`, 1)] : [],
  'opinion-given': formatOpinion,
  'opinion-missing': ({ reviewer, reason, again }) =>
    again ? [] : [line('warn', `${reviewer} did not answer: ${reason}`, 1)],
  'finding-tried': ({ finding, result, reason }) =>
    line(result === 'confirmed' ? 'warn' : 'plain', `${finding} ${result}: ${reason}`, 1),
  'findings-answered': (fact) =>
    fact.answers.map(({ finding, answer, reason }) =>
      line('plain', `${finding} ${answer}${reason === '' ? '' : `: ${reason}`}`, 2),
    ),
} satisfies Formats;

function formatOpinion({ reviewer, from, findings }: FactOf<'opinion-given'>): Told {
  if (from !== undefined)
    return line('dim', `${reviewer} is not asked again: it found nothing in this commit in stage ${from}`, 1);
  if (findings.length === 0) return line('plain', `${reviewer} found nothing`, 1);
  return [
    line('plain', `${reviewer} has ${formatCount(findings.length, 'finding')}`, 1),
    ...findings.map((finding) =>
      line('plain', `${finding.id} ${finding.severity} ${placeOf(finding)} ${finding.title}`, 2),
    ),
  ];
}
