// Whether a plan can run here: it exists, is valid and has consent.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { judgeWorkplace } from '../git/place/workplace.ts';
import { findLocked } from '../journal/lock.ts';
import { namePlan } from '../phase/open/find-unfinished.ts';
import { lintBy, lintPlan, refuseErrors, summarizeWarnings } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { commandsOf, isClosed, type Plan, untrackedBoxes } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { widestOf } from '../plan/width/choose-tasks.ts';
import { verdictSwitches } from '../process/environment.ts';
import { cleanText } from '../report/text/line.ts';
import { judgeWidth } from '../work/must-be-alone.ts';
import { obtainTrust } from './consent.ts';
import type { CliContext } from './context.ts';
import { findPlan } from './find-plan.ts';
import { needPlace } from './find-run.ts';
import { loadSettings, readFlags } from './load-settings.ts';
import { isGround, readSubmodules, refuseWideTree } from './locate.ts';
import { readChannels } from './messages.ts';
import { lookBeforeTrust } from './open-place.ts';
import type { RunFlags } from './run-options.ts';

/** A plan with its run's settings, before anything is judged or asked. `open`: what it would continue. */
export type ReadPlan = Readonly<ReturnType<typeof readPlan>>;

export function readPlan(context: CliContext, given: string, options: RunFlags) {
  const place = needPlace(context);
  const { root } = place;
  const { file, text, link, open } = findPlan(context, place, { given, fresh: options.fresh });
  const plan = parsePlan(text, file);
  refuseErrors(plan, file, {});
  const loaded = loadSettings(context, {
    root,
    trusted: true,
    flags: readFlags(options),
    frontMatter: { file, settings: plan.settings },
  });
  const { config } = loaded;
  const width = judgeWidth(root, plan, options.task === undefined ? config : { ...config, jobs: 1 });
  return { place, planFile: file, planLink: link && namePlan(root, link), plan, open, loaded, width };
}

export function widthOf({ plan, width }: Pick<ReadPlan, 'plan' | 'width'>): number {
  return width.jobs < 2 ? 1 : widestOf(plan, width);
}

/**
 * `given`: a plan as it was named, or read. `trust.trusted` is false only on a dry run: settings are read, but nothing
 * they name is started. `atOnce`: most tasks, by settings and plan.
 */
export async function inspectPlan(context: CliContext, given: string | ReadPlan, options: RunFlags) {
  const read = typeof given === 'string' ? readPlan(context, given, options) : given;
  const { place, planFile, plan, open, loaded, width } = read;
  const { root } = place;
  const name = namePlan(root, planFile);
  refuseUnknownTask(plan, name, options);
  refuseWideTree(root, context);
  const { dryRun, worktree } = options;
  await readChannels(loaded);
  const lint = { ...lintBy(loaded.config), submodules: readSubmodules(root) };
  refuseErrors(plan, planFile, lint);
  const resuming = open !== undefined;
  if (!resuming) refuseFinished(plan, name);
  const first = async () => {
    const { facts } = await lookBeforeTrust(context, place, planFile);
    const own = worktree ? { ...facts, dirt: [], operation: undefined } : facts;
    const refusal = judgeWorkplace(own, { resuming });
    if (refusal) throw findLocked(place.gitDir) ?? refusal;
  };
  const wanted = {
    ...options,
    root,
    checks: commandsOf(plan),
    first,
    asks: dryRun ? 'never' : 'always',
  } as const;
  // A dry run reports these itself.
  const toldElsewhere = new Set(['step-outside-task', ...(dryRun ? ['no-parallel'] : [])]);
  const warnings = lintPlan(plan, { ...lint, width }).filter(({ rule }) => !toldElsewhere.has(rule));
  const shown = summarizeWarnings(path.relative(context.cwd, planFile), warnings, width.jobs).map(cleanText);
  // Said while a person is there.
  const set = verdictSwitches(context.env).join(', ');
  const switches = set === '' ? [] : [`${set} in your environment can decide checks beside the code`];
  const isBegunHere = !isGround(place) && resuming;
  return {
    ...read,
    trust: await obtainTrust(context, wanted),
    atOnce: isBegunHere ? 1 : widthOf(read),
    notices: [...loaded.notices, ...shown, ...switches],
  };
}

/** Else a slip would be a run that does nothing and reports success. */
function refuseUnknownTask(plan: Plan, name: string, { task, from }: RunFlags): void {
  const ids = plan.tasks.map(({ id }) => id);
  for (const [flag, id] of Object.entries({ '--task': task, '--from': from })) {
    if (id === undefined || ids.includes(id)) continue;
    throw new Failure('usage', `${flag}: there is no task ${id} in ${name}`, {
      hint: `Its tasks are ${ids.join(', ')}.`,
    });
  }
}

/** Boxes that a refusal names: below its tasks a plan may have a long list for later. */
const mostLeft = 8;

/** A run would do nothing, archive the plan and call it done. */
export function refuseFinished(plan: Plan, name: string): void {
  if (!plan.tasks.every(isClosed)) return;
  const manual = plan.tasks.flatMap(({ steps }) => steps).filter((step) => step.manual && !step.ticked);
  const left = [
    ...manual.map(({ text }) => `Left to a person: ${withoutManualMark(text)}`),
    ...listUntracked(plan),
  ];
  const more = left.length > mostLeft ? [`And ${left.length - mostLeft} more.`] : [];
  const says = `${name} has nothing left for an agent: all its tasks are closed`;
  throw new Failure('plan', [says, ...left.slice(0, mostLeft), ...more].join('\n'), {
    hint: 'Untick the boxes of what should be done again. `pawl review` reviews the changes of a branch.',
  });
}

/** A sentence for each. */
export function listUntracked(plan: Plan): readonly string[] {
  return untrackedBoxes(plan).map(({ text, line }) => `Not tracked by any task: ${text} (line ${line})`);
}
