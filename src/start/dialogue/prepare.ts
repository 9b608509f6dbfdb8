// Prepares a planning dialogue before anything changes.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { loadConfig } from '../../config/load.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { readWorkplace, type WorkplaceFacts } from '../../git/place/workplace.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { findOpenDialogue, type UnfinishedRun } from '../../phase/open/find-unfinished.ts';
import type { OpenRequest } from '../../phase/open/open-request.ts';
import { slugOf } from '../../plan/plan-name.ts';
import { obtainNamedTrust } from '../consent.ts';
import type { CliContext } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { needPlace } from '../find-run.ts';
import { readFlags, wordsToRepeat } from '../flags.ts';
import { judgeWorkingDirectory, type Place } from '../locate.ts';
import { makeBase } from '../run-base.ts';
import { makeRunPlan, type PreparedRun } from '../run-plan.ts';
import { type PlanOptions, planOptions } from './plan-options.ts';
import { type PlanRequest, readRequest } from './plan-request.ts';

export async function prepareDialogue(
  context: CliContext,
  words: readonly string[],
  options: PlanOptions,
): Promise<PreparedRun> {
  const place = needPlace(context);
  const { root } = place;
  const tooWide = judgeWorkingDirectory(root, context);
  if (tooWide) throw tooWide;
  const past = options.resume ? findPast(place, words) : undefined;
  const output = findOutput(context, place, options);
  const request = past ? undefined : await readRequest(context, words, options);
  const { trust, trustHash } = options;
  // A planner only looks.
  const { consent, trusted } = await obtainNamedTrust(context, { root, checks: [], trust, trustHash });
  const { env, folders } = context;
  const flags = await readFlags(options, planOptions);
  const settings = loadConfig({ root, env, folders, trusted, flags });
  const base = await makeBase(context, { root, config: settings.config, consent, trusted });
  const workplace = await readWorkplace(base.repo);
  const before = past?.started.planning;
  // An option of this start counts, else what was asked at the first.
  const asked = {
    from: before?.from ?? request?.from ?? '',
    ...defined({ output: output ?? before?.output }),
  };
  const dialogue = { asked, open: past?.state.dialogue.at(-1) };
  return makeRunPlan(context, {
    ...{ base, settings, dialogue, stages: [], purposes: ['plan'], flags: options, fresh: false },
    workplace: { ...workplace, untracked: [] },
    refusal: judgePlace(workplace),
    about: {
      ...{ title: titleOf(past, request), trusted, role: 'plan' },
      flags: wordsToRepeat(options, planOptions),
      planning: before ?? asked,
    },
    ...filesOf(past, request),
    options: { tasksOnly: false, takeEdits: false },
  });
}

function findOutput(context: CliContext, place: Place, { output }: PlanOptions): string | undefined {
  if (output === undefined) return undefined;
  const file = realOf(path.resolve(context.cwd, output));
  const hint = 'Name another file with -o.';
  if (existsSync(file))
    throw new Failure('usage', `${output} already exists and is not overwritten`, { hint });
  if (isAtOrBelow(file, place.gitDir))
    throw new Failure('usage', `${output} is inside git's own folder`, { hint });
  return file;
}

/** The request is kept in the run folder. */
function filesOf(
  past: UnfinishedRun | undefined,
  request: PlanRequest | undefined,
): Pick<OpenRequest, 'planFile' | 'goal' | 'goesOn'> {
  if (past) return { planFile: path.basename(past.started.plan), goesOn: past.run };
  const text = request?.text ?? '';
  return { planFile: `plan-${slugOf(firstLine(text))}.md`, goal: text };
}

const mostTitle = 70;

function titleOf(past: UnfinishedRun | undefined, request: PlanRequest | undefined): string {
  if (past) return past.started.title;
  const line = firstLine(request?.text ?? '');
  return line.length > mostTitle ? `${line.slice(0, mostTitle - 1)}…` : line;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? 'a plan';
  return line.replace(/^[#>*\-\s]+/, '').trim();
}

function judgePlace({ head }: WorkplaceFacts): Failure | undefined {
  if (head !== '') return undefined;
  return new Failure('preflight', 'the repository has no commit yet', {
    hint: 'Make a first commit, even of an empty README.',
  });
}

function findPast(place: Place, words: readonly string[]): UnfinishedRun {
  const runs = listRuns(place.commonDir).filter(({ started }) => started.planning !== undefined);
  const [id, more] = words;
  if (more !== undefined)
    throw new Failure('usage', '--resume takes at most one run id', { hint: listOpen(runs) });
  const wanted = id === undefined ? runs : runs.filter(({ run }) => run.startsWith(id));
  for (const { run } of wanted) {
    const open = findOpenDialogue(runs, run);
    if (open) return open;
  }
  const what = id === undefined ? 'no plan dialogue is open here' : `no open dialogue begins with ${id}`;
  throw new Failure('usage', what, { hint: listOpen(runs) });
}

function listOpen(runs: readonly RunFolder[]): string {
  const open = runs.filter(({ run }) => findOpenDialogue(runs, run));
  if (open.length === 0) return 'Start one: pawl plan "what you want"';
  return open.map(({ run, started }) => `pawl plan --resume ${run}    ${started.title}`).join('\n');
}
