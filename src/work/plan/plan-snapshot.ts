// The plan's bytes at a session's start are the truth, whoever changed them; and whether a planner may be asked.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import { moveFile } from '../../disk.ts';
import type { ReplanWhy } from '../../event/planning.ts';
import { readEntry } from '../../git/tree/entry.ts';
import type { RunState } from '../../journal/state.ts';
import { orElse } from '../../or-else.ts';
import type { Place } from '../../place/place.ts';
import { withBeside } from '../../plan/companion-docs.ts';
import { readPlanFile, restorePlanFile } from '../../plan/file.ts';
import { lintBy, refuseErrors } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';
import { onlyTicked } from '../../plan/tick.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { count } from '../count.ts';
import { keptPlan } from '../restart-files.ts';

export function readPlanAt(place: Pick<Place, 'plan' | 'run'>): Plan {
  const plan = parsePlan(readPlanFile(place.plan.file), place.plan.file);
  // In a review the plan only describes the change.
  if (place.run.state().started.review) return plan;
  const { config } = place.run;
  if (linted.get(plan) !== config) refuseErrors(plan, place.plan.name, lintBy(config));
  linted.set(plan, config);
  return { ...plan, overview: withBeside(plan.overview, place.plan) };
}

/** As the open session got it; undefined before the first one. */
export function readKeptPlan(place: Place): Plan | undefined {
  const text = keptPlan(place);
  return text === undefined ? undefined : parsePlan(text, place.plan.file);
}

/** Without errors: one is read several times per task. */
const linted = new WeakMap<Plan, Config>();

/** `own`: as pawl ticked it, which is nobody's act. */
type Doer = Readonly<{ session?: number; task?: string; own?: string }>;

/** Whether it was another. */
export function restorePlan(place: Place, text: string, { own, ...whose }: Doer): boolean {
  const { file, name } = place.plan;
  const found = readPresent(file);
  if (found === text) return false;
  if (found !== undefined && found === own) {
    restorePlanFile(file, text);
    return true;
  }
  const ticked = found === undefined ? undefined : onlyTicked(text, found);
  const kept = found === undefined || ticked ? undefined : setAside(place, whose.session);
  const act = found === undefined ? 'removed-plan' : ticked ? 'ticked-plan' : 'edited-plan';
  const detail = ticked ? `${count(ticked.length, 'box', 'boxes')} of ${name}` : name;
  const fact = { type: 'act-found', ...whose, act, detail, response: 'put-back' } as const;
  place.run.emit({ ...fact, ...defined({ kept }) });
  restorePlanFile(file, text);
  return true;
}

/** Byte for byte: it need not be a text. A folder in the plan's place is kept with all that is in it. */
function setAside({ plan, run }: Place, session: number | undefined): string {
  const number = run.state().setAside.length + 1;
  const file = `plan-${String(number).padStart(3, '0')}.proposed.md`;
  const kept = path.join(run.folder, file);
  const entry = readEntry(plan.file);
  const bytes = entry.kind === 'file' ? entry.bytes : undefined;
  if (bytes) writeFileAtomic(kept, bytes, 0o600);
  const detail = bytes?.toString().trim() === '' ? 'emptied' : 'edited';
  run.emit({ type: 'plan-edit-set-aside', number, file, detail, ...defined({ session }) });
  // On another file system it stays, and the restore refuses. Killed before, it is set aside again.
  if (!bytes) orElse(() => moveFile(plan.file, kept), undefined);
  return file;
}

function readPresent(file: string): string | undefined {
  // No regular text file is no plan.
  return existsSync(file) ? orElse(() => readPlanFile(file), '') : undefined;
}

const steps = ['never', 'on-failure', 'on-request', 'after-each-task'] as const;
const needed = { failure: 'on-failure', request: 'on-request', 'after-task': 'after-each-task' } as const;

/** `tree`: what was last judged of the task's work; absent before anything was. */
type ReplanWish = Readonly<{ why: ReplanWhy; task: string; tree?: string | undefined }>;

/** Another tool's list is never changed. */
export function mayReplan(
  { config, state }: Readonly<{ config: Pick<Config, 'replan'>; state: () => ReplanPast }>,
  plan: Plan,
  wish: ReplanWish,
): boolean {
  if (plan.format !== 'tasks' || plan.tasks.every(isClosed)) return false;
  if (steps.indexOf(config.replan) < steps.indexOf(needed[wish.why])) return false;
  // That a closed task changes nothing of the others is the rule.
  const counted = state().replans.filter(
    ({ started, ended }) => ended && (ended.result !== 'unchanged' || started.why !== 'after-task'),
  );
  return counted.length < fixed.replans && !isAskedInVain(state(), plan.text, wish);
}

type ReplanPast = Pick<RunState, 'replans' | 'interventions'>;

/** About the same plan, on the same work, and no person has said anything since. */
function isAskedInVain({ replans, interventions }: ReplanPast, text: string, wish: ReplanWish): boolean {
  const last = replans.findLast(({ started }) => started.task === wish.task);
  if (!last?.ended || last.ended.result === 'taken') return false;
  const { started, tree } = last;
  if (interventions.some(({ at }) => at > started.at)) return false;
  return started.plan === digestText(text) && tree === wish.tree;
}
