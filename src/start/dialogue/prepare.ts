// Prepares a planning dialogue, and reads its request, before anything changes.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { commandLine } from '../../event/planning.ts';
import { Failure } from '../../failure.ts';
import { judgeWorkplace, readWorkplace } from '../../git/place/workplace.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { findOpenDialogue, type UnfinishedRun } from '../../phase/open/find-unfinished.ts';
import { slugOf } from '../../plan/plan-name.ts';
import { shorten } from '../../shorten.ts';
import { type PlanOptions, planOptions } from '../command-options.ts';
import { obtainTrust } from '../consent.ts';
import type { CliContext } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { loadSettings, readFlags } from '../load-settings.ts';
import { type Place, realOf, refuseWideTree } from '../locate.ts';
import { readSource } from '../read-source.ts';
import { makeBase } from '../run-base.ts';
import { makeRunPlan, type PreparedRun } from '../run-plan.ts';

export async function prepareDialogue(
  context: CliContext,
  words: readonly string[],
  options: PlanOptions,
): Promise<PreparedRun> {
  const place = needPlace(context);
  const { root } = place;
  refuseWideTree(root, context);
  const past = options.resume ? findPast(place, words) : undefined;
  const output = findOutput(context, options);
  const { title, planning, ...files } = past
    ? continued(past)
    : begun(await readRequest(context, words, options));
  // A planner only looks.
  const given = await obtainTrust(context, { ...options, root, checks: [], asks: 'if-named' });
  const { trusted } = given;
  const settings = loadSettings(context, { root, trusted, flags: readFlags(options, planOptions) });
  const config = { ...settings.config, review: { stages: [] } };
  const base = await makeBase(context, { root, config, ...given });
  const workplace = await readWorkplace(base.repo);
  return makeRunPlan(context, {
    base,
    settings,
    purposes: ['plan'],
    flags: options,
    workplace: { ...workplace, untracked: [] },
    // Of a tree that nobody changes, only a commit is asked.
    refusal: workplace.head === '' ? judgeWorkplace(workplace) : undefined,
    // An option of this start counts, else what was asked at the first.
    about: { title, trusted, planning: { ...planning, ...defined({ output }) } },
    ...files,
    options: {},
  });
}

function findOutput({ cwd }: CliContext, { output }: PlanOptions): string | undefined {
  const file = output === undefined ? undefined : realOf(path.resolve(cwd, output));
  if (file === undefined || !existsSync(file)) return file;
  throw new Failure('usage', `${output} already exists and is not overwritten`, {
    hint: 'Name another file with -o.',
  });
}

function continued(past: UnfinishedRun) {
  const { title, plan, planning = { from: '' } } = past.started;
  return { title, planning, planFile: path.basename(plan), open: past };
}

/** The request is kept in the run folder. */
function begun({ text: goal, from }: PlanRequest) {
  const line = goal.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? 'a plan';
  const first = line.replace(/^[#>*\-\s]+/, '').trim();
  const title = shorten(first, 70);
  return { title, planning: { from }, planFile: `plan-${slugOf(first)}.md`, goal, open: undefined };
}

function findPast(place: Place, words: readonly string[]): UnfinishedRun {
  const runs = listRuns(place.commonDir).filter(({ started }) => started.planning);
  const [id = '', more] = words;
  if (more !== undefined)
    throw new Failure('usage', '--resume takes at most one run id', { hint: listOpen(runs) });
  const found: UnfinishedRun[] = [];
  for (const { run } of runs) {
    const open = run.startsWith(id) ? findOpenDialogue(runs, run) : undefined;
    if (open) found.push(open);
    // The newest is meant; an older one need not be readable.
    if (open && id === '') break;
  }
  const [only, another] = found;
  if (another)
    throw new Failure('usage', `several open dialogues begin with ${id}`, { hint: listOpen(found) });
  if (only) return only;
  const what = id === '' ? 'no plan dialogue is open here' : `no open dialogue begins with ${id}`;
  throw new Failure('usage', what, { hint: listOpen(runs) });
}

function listOpen(runs: readonly RunFolder[]): string {
  const open = runs.filter(({ run }) => findOpenDialogue(runs, run));
  if (open.length === 0) return 'Start one: pawl plan "what you want"';
  return open.map(({ run, started }) => `pawl plan --resume ${run}    ${started.title}`).join('\n');
}

type PlanRequest = Readonly<{ text: string; from: string }>;

/** Throws a Failure unless exactly one non-empty request is given. */
export async function readRequest(
  context: CliContext,
  words: readonly string[],
  options: Pick<PlanOptions, 'from' | 'issue'>,
): Promise<PlanRequest> {
  const { from, issue } = options;
  const option = from === undefined ? issue && '--issue' : '--from';
  const said = words.length > 0;
  if (!said && !option)
    throw new Failure('usage', 'the request is missing: say what to plan', { hint: ways });
  if (said && option)
    throw new Failure('usage', `“${words.join(' ')}” and ${option} both give a request`, {
      hint: `Leave one of them out.\n${ways}`,
    });
  const isStdin = words.length === 1 && words[0] === '-';
  const source = issue ?? from ?? (isStdin ? '-' : undefined);
  const request =
    source === undefined ? { text: words.join(' '), from: commandLine } : await readSource(context, source);
  if (request.text.trim() === '')
    throw new Failure('usage', `there is nothing to plan: ${request.from} is empty`, { hint: ways });
  const text = issue === undefined ? request.text : readIssue(request.text);
  return { ...request, text: `${text.trimEnd()}\n` };
}

const ways = [
  'pawl plan "add caching to the API"',
  'pawl plan --from notes.md      a spec, notes, or another plan',
  'pawl plan --issue 12           by gh',
  'pawl plan -                    from stdin',
  'pawl plan --resume             continues the last dialogue',
].join('\n');

function readIssue(json: string): string {
  const { title = '', body = '', url = '' } = JSON.parse(json) as Partial<Record<string, string>>;
  return `# ${title}\n\n${body.replaceAll('\r\n', '\n')}\n\n(${url})\n`;
}
