// Which plan a person means by a word or none, and which text of it counts: the file or, after a crash, pawl's copy:
// the session may have changed the file.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandAgain } from '../event/again.ts';
import { Failure } from '../failure.ts';
import { isNoRef } from '../git/place/branches.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { inRun, listRuns } from '../journal/folder.ts';
import { archivedTo, isFinished, openSessions } from '../journal/state.ts';
import { findOpenRun, findRunOf, isAside, type UnfinishedRun } from '../phase/open/find-unfinished.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import { shellWord } from '../shell-word.ts';
import { selectOne } from './confirm.ts';
import type { CliContext } from './context.ts';
import { findLastWorked, readRun } from './find-run.ts';
import { findPlace, listPlans, type Place, realOf } from './locate.ts';
import { namesIn, noPlan, resolvePlans, severalMeant } from './resolve-word.ts';

/** `file`: where it is or must be restored to; `link`: what named it, absolute; `open`: its unfinished run. */
type FoundPlan = Readonly<{ file: string; text: string; link?: string; open: UnfinishedRun | undefined }>;

/** `fresh`: ignores unfinished runs. */
export function findPlan(
  { cwd }: CliContext,
  place: Place,
  { given, fresh = false }: Readonly<{ given: string; fresh?: boolean | undefined }>,
): FoundPlan {
  const wanted = path.resolve(cwd, given);
  // A session may have put a link in the plan's place: the literal name comes first.
  const named = path.join(realOf(path.dirname(wanted)), path.basename(wanted));
  const names = [...new Set([named, realOf(wanted)])];
  const known = (fresh ? [] : names).map((file) => ({ file, open: findOpenRun(place, file) }));
  for (const { file, open } of known) {
    const text = open && textInHand(open, file, place.root);
    if (text !== undefined) return { file, text, open };
  }
  if (!names.some((file) => existsSync(file))) {
    refuseElsewhere(place, given, names);
    refuseMoved(place, given, { names, cwd });
  }
  const file = locatePlan(given, cwd);
  const open = known.find((each) => each.file === file)?.open;
  return { file, text: readPlanFile(file), ...(named === file ? {} : { link: named }), open };
}

/** Throws if the branch of its unfinished run has the missing plan. */
function refuseElsewhere(place: Place, given: string, names: readonly string[]): void {
  const [open] = names.flatMap((file) => findOpenRun(place, file) ?? []);
  if (!open || open.state.worktree) return;
  const { started } = open;
  const { branch: checkedOut = '' } = readHead(place);
  if (checkedOut === started.branch || isNoRef(place, `refs/heads/${started.branch}`)) return;
  const sentence = `${given} is not here, but on branch ${started.branch}, where its run was stopped`;
  throw new Failure('plan', sentence, { hint: commandAgain({ started, checkedOut }) });
}

/** Throws if its run has moved the missing plan: under its own name an older one may be archived. */
function refuseMoved(
  place: Place,
  given: string,
  { names, cwd }: Readonly<{ names: readonly string[]; cwd: string }>,
): void {
  const [run] = names.flatMap((file) => findRunOf(place, file) ?? []);
  const moved = run && archivedTo(readRun(run));
  const to = moved && path.resolve(place.root, moved);
  if (to === undefined || !existsSync(to)) return;
  throw new Failure('plan', `${given} is done, and its run has moved it to ${moved}`, {
    hint: `To do some of it again, untick its boxes there and run it: pawl run ${shellWord(path.relative(cwd, to))}`,
  });
}

/** Undefined if the file counts. */
function textInHand({ state: past, folder }: UnfinishedRun, file: string, root: string): string | undefined {
  if (past.archive && !existsSync(file)) return readIfThere(path.resolve(root, past.archive.to));
  const isCut = !past.course.ended && openSessions(past).length > 0;
  return isCut ? readIfThere(path.join(folder, inRun.plan)) : undefined;
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** That of the last run if it is unfinished, else the only one. From the current folder. */
export async function choosePlan(context: CliContext): Promise<string> {
  const place = findPlace(context.cwd);
  const root = place?.root ?? context.cwd;
  const runs = place ? listRuns(place.commonDir).filter(({ started }) => !isAside(started)) : [];
  const last = place && findLastWorked(place, runs);
  const plans =
    last && !isFinished(readRun(last)) ? [path.resolve(root, last.started.plan)] : listPlans(root);
  if (plans.length === 0) throw noPlan('pawl run');
  const named = fromHere(context, plans);
  const says = 'there are several plans, and none was named';
  return chooseOne(context, named, new Failure('usage', says, { hint: named.join('\n') }));
}

/** From the current folder, for a word that means a plan; any other word stays. */
export async function namePlanFor(context: CliContext, word: string): Promise<string> {
  const { cwd } = context;
  const place = findPlace(cwd);
  if (!place || existsSync(path.resolve(cwd, word))) return word;
  const names = namesIn(context, place);
  const found = fromHere(context, resolvePlans(names, word));
  return found.length === 0 ? word : chooseOne(context, found, severalMeant(word, 'plans', found));
}

async function chooseOne(context: CliContext, plans: readonly string[], several: Failure): Promise<string> {
  const [only, second] = plans;
  if (only !== undefined && second === undefined) return only;
  const options = plans.map((plan) => [plan, plan] as const);
  const picked = context.canAsk ? await selectOne(context, 'Which plan?', options) : undefined;
  if (picked !== undefined) return picked;
  throw several;
}

function fromHere({ cwd }: CliContext, files: readonly string[]): readonly string[] {
  return files.map((file) => path.relative(realOf(cwd), file));
}
