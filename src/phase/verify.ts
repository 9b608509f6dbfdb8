// Verifies a run's end: each closed task's commit is in HEAD with its changes, and the checks pass in a fresh
// checkout. One that was green and is red everywhere is broken.
import { isOfTests } from '../check/classes.ts';
import type { EndReason } from '../event/run.ts';
import type { ProofWord } from '../event/task.ts';
import type { FactOf } from '../event.ts';
import { exitCodes } from '../failure.ts';
import { listBeside } from '../git/place/untracked.ts';
import { readHead, readHeadCommit } from '../git/protect/snapshot.ts';
import { fewOf } from '../git/run/names.ts';
import type { HeadAt } from '../git/tree/status.ts';
import { inGround } from '../ground/in-ground.ts';
import type { Ground } from '../ground/make.ts';
import { noticeOnce, type RunState } from '../journal/state.ts';
import { type ClosedTask, listClosed } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import type { PhaseEnd } from '../place/run.ts';
import type { Check } from '../plan/plan.ts';
import { whileStill } from '../work/guard/standstill.ts';
import { refuseMoved } from '../work/on-branch.ts';
import { readPlanAt } from '../work/plan/plan-snapshot.ts';
import { notClean, reasonOfInterruption } from '../work/stopped.ts';
import { runChecks, runOneCheck, setUpGround } from '../work/tree/run-checks.ts';
import { allChecks } from '../work/work.ts';
import { changesOf, filesIn, findLost, hasSameFiles } from './find-lost.ts';
import { findWeakened, listSuspicions, nameWeakened } from './find-weakened.ts';

export async function verifyEnd(place: Place): Promise<PhaseEnd> {
  const closed = listClosed(place.run.state().tasks.values());
  const lost = await judgeLost(place, closed);
  if (lost.length > 0) return { reasons: lost, finished: false };
  await verifyFresh(place, closed);
  return place.run.signal.aborted
    ? { reasons: [reasonOfInterruption(place)], finished: false }
    : { reasons: await judgeVerified(place), finished: true };
}

/** What it came to, in this start or an earlier one: the checks do not run again. */
export async function judgeVerified(place: Place): Promise<readonly EndReason[]> {
  const { config, state } = place.run;
  const fresh = config.verify === 'off' ? undefined : state().freshVerified;
  const closed = listClosed(state().tasks.values());
  return [...(await findUndone(place, closed)), ...reasonsOfFresh(fresh, config.require)];
}

async function judgeLost(place: Place, closed: readonly ClosedTask[]): Promise<readonly EndReason[]> {
  const { branch } = place.run.state().started;
  return (await findLost(place, closed)).map(({ close }) => {
    const oid = close.oid.slice(0, 12);
    return {
      exit: exitCodes.environment,
      code: 'history',
      text: `task ${close.task} was closed, but its commit ${oid} is no longer in ${branch}`,
      hint: `Bring it back with \`git cherry-pick ${oid}\`, then run the same command again.`,
    };
  });
}

async function findUndone(place: Place, closed: readonly ClosedTask[]): Promise<readonly EndReason[]> {
  const reasons: EndReason[] = [];
  const changes = await changesOf(place, closed);
  for (const { close } of closed) {
    const { task, oid } = close;
    const own = filesIn(place, changes.get(oid)) ?? [];
    if (own.length === 0 || !(await hasSameFiles(place, `${oid}^`, own))) continue;
    const text = `task ${task} was closed by ${oid.slice(0, 12)}, but later commits took all of its changes back`;
    reasons.push(notClean('undone', text));
  }
  return reasons;
}

/** Red only in a checkout of HEAD, or no longer green anywhere. */
async function verifyFresh(place: Place, closed: readonly ClosedTask[]): Promise<void> {
  const { config, state } = place.run;
  const checks = allChecks(place, readPlanAt(place)).filter(({ knownRed }) => !knownRed);
  if (checks.length === 0 || closed.length === 0) return;
  const before = await readHeadAt(place);
  const head = before.commit;
  if (config.verify === 'off' || config.prove === 'off') await tellUntried(place, head);
  if (config.verify === 'off' || state().freshVerified?.head === head) return;
  const found = await whileStill(place, 'check', () =>
    inGround(place, { use: 'prove', commit: head }, (ground) =>
      compare(place, { checks, passed: passedBy(closed, state()) }, ground),
    ).then((said) => (said.result === 'green' ? judgeWeakened(place, said, head) : said)),
  );
  if (place.run.signal.aborted) return;
  place.run.emit({ type: 'fresh-verified', head, ...found });
  refuseMoved(place, { before, now: await readHeadAt(place) }, 'the checks in a fresh checkout');
}

async function tellUntried(place: Place, head: string): Promise<void> {
  const { run } = place;
  const files = (await listSuspicions(place, head)).flatMap(({ suspects }) => suspects);
  if (files.length === 0) return;
  const names = fewOf([...new Set(files.map(({ file }) => file))], 10);
  const text = `Not tried at the end whether the checks need what the run changed of ${names}: verify or prove is off`;
  noticeOnce(run, { code: 'definitions-untried', text }, 'code');
}

type Fresh = Omit<FactOf<'fresh-verified'>, 'type' | 'head'>;

async function judgeWeakened(place: Place, said: Fresh, head: string): Promise<Fresh> {
  if (place.run.config.prove === 'off') return said;
  const suspicions = await listSuspicions(place, head);
  const weakened = [...(await findWeakened(place, suspicions, head))];
  if (weakened.length === 0) return said;
  const reason = weakened.map((one) => `${nameWeakened(one)}, the checks are red`).join('; ');
  return { ...said, result: 'red', reason, weakened };
}

async function readHeadAt({ repo }: Place): Promise<HeadAt & Readonly<{ commit: string }>> {
  return { branch: readHead(repo).branch, commit: await readHeadCommit(repo) };
}

function passedBy(closed: readonly ClosedTask[], { atEnd }: RunState): ReadonlySet<string> {
  const after = closed.flatMap(({ task }) =>
    task.checks.filter(({ when }) => when === 'after' || when === 'verify'),
  );
  return new Set([...after, ...atEnd].flatMap(({ result, command }) => (result === 'green' ? command : [])));
}

/** `passed`: commands that were green after a task, or at the end. */
async function compare(
  place: Place,
  { checks, passed }: Readonly<{ checks: readonly Check[]; passed: ReadonlySet<string> }>,
  ground: Ground,
): Promise<Fresh> {
  const unset = await setUpGround(place, ground);
  // The checks may make there what only the run's tree had.
  const beside = [...(await listBeside(place.repo, ground.root))];
  if (unset !== undefined) return { result: 'not-verified', red: [], reason: unset, beside };
  const red: string[] = [];
  const broken: string[] = [];
  const unproven: string[] = [];
  for (const check of checks) {
    if (place.run.signal.aborted) break;
    const { result, exitCode } = await runOneCheck(place, check, { when: 'fresh', ground });
    if (result === 'green') continue;
    const { command } = check;
    const [here] = (await runChecks(place, [check], { when: 'verify' })).runs;
    // Exit 126: the commit lacks the file's executable bit. Any other program may not be installed.
    const mayLack = result === 'could-not-run' && exitCode !== 126;
    if (here?.result !== 'green' && passed.has(place.run.mask(command))) broken.push(command);
    else if (mayLack) unproven.push(`could not run: ${command}`);
    else if (here?.result === 'green') red.push(command);
    else unproven.push(`red in the run’s tree too: ${command}`);
  }
  const said = [
    ...(red.length === 0 ? [] : [`red in a fresh checkout: ${red.join('; ')}`]),
    ...(broken.length === 0 ? [] : [`red, though it was green before: ${broken.join('; ')}`]),
  ];
  if (said.length > 0) return { result: 'red', red, broken, reason: said.join('; '), beside };
  unproven.push(...ground.leadsBack.map((name) => `\`${name}\` leads back into the first tree`));
  if (unproven.length > 0) return { result: 'not-verified', red, reason: unproven.join('; '), beside };
  return { result: 'green', red, reason: 'green in a fresh checkout', beside: [] };
}

export function reasonsOfFresh(seen: RunState['freshVerified'], require: ProofWord): readonly EndReason[] {
  if (seen?.result !== 'red') return [];
  const { red, broken = [], weakened = [], beside } = seen;
  const head = seen.head.slice(0, 12);
  const files = beside.length === 0 ? '' : ` Only the run’s tree has: ${beside.join(', ')}.`;
  return [
    ...broken.map((command) => ({
      exit: exitCodes.notClean,
      code: 'red-at-end',
      text: `this check was green before, but is red on ${head}: ${command}`,
      hint: 'A later commit broke it, or replaced what it proved. Look at it before you merge.',
    })),
    ...(require === 'unchecked' ? [] : weakened).map((one) => ({
      exit: exitCodes.notClean,
      code: 'weakened',
      text: `red on ${head} ${nameWeakened(one)}`,
      hint: `Look at what changed it. A task may, if your plan names the file in its ${isOfTests(one.file) ? '`redefines:`' : '`files:`'}; \`--require unchecked\` accepts it.`,
    })),
    ...red.map((command) => ({
      exit: exitCodes.notClean,
      code: 'red-in-fresh-checkout',
      text: `green in the run’s tree, but red in a fresh checkout of ${head}: ${command}`,
      hint: `${files} Commit what it needs, or name what prepares a new checkout in worktree.setup.`.trim(),
    })),
  ];
}
