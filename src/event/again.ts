// The commands that continue a run, take it up or carry its end, as every hint names them.
import type { FactOf } from '../event.ts';
import { shellWord } from '../shell-word.ts';
import type { ReviewAsked } from './run.ts';

/** `checkedOut`: the branch checked out where the hint is shown, if known. */
type Where = Readonly<{
  started: FactOf<'run-started'>;
  checkedOut?: string | undefined;
  /** `fenced`: another machine has taken it up. */
  carry?: Readonly<{ remote: string; fenced?: unknown }> | undefined;
}>;

/**
 * `options`: each followed by a blank. The command first checks out the run's branch, unless the run is in a worktree,
 * which is found by itself.
 */
export function commandAgain(where: Where, options = ''): string {
  const { started, checkedOut, carry } = where;
  const plan = shellWord(started.plan);
  if (carry?.fenced !== undefined) return takeCommand(started.run, carry.remote);
  const words = (started.ground.flags ?? []).map((word) =>
    /^--[a-z-]+$/.test(word) ? word : shellWord(word),
  );
  // Of an option given twice the last counts.
  const all = [...words, options].join(' ');
  if (started.planning) return `pawl plan ${all}--resume ${started.run}`;
  if (started.review) return formatReview(started.review, all);
  const run = `pawl run ${all}${plan}`;
  const isHere = checkedOut === undefined || checkedOut === started.branch || started.worktree !== undefined;
  return isHere ? run : `git switch ${shellWord(started.branch)} && ${run}`;
}

function formatReview(
  { base, stages = [], plan, reportOnly, prove, answers }: ReviewAsked,
  all: string,
): string {
  const file = plan === undefined ? [] : [shellWord(plan)];
  if (answers) return [`pawl pr answer ${all}`.trimEnd(), ...file].join(' ');
  const words = [
    `--base ${base.slice(0, 12)}`,
    ...stages.map((stage) => `--stage ${stage}`),
    ...file.map((word) => `--plan ${word}`),
    ...(prove ? ['--prove'] : reportOnly ? ['--report-only'] : []),
  ];
  return `pawl review ${all}${words.join(' ')}`;
}

/** Without `--from` a run is taken from origin. */
export function takeCommand(run: string, remote: string): string {
  return `pawl fleet take ${run}${remote === 'origin' ? '' : ` --from ${remote}`}`;
}

/**
 * Carries a finished run, whose last carry is a commit here: git refuses it if another machine has the run. A squashed
 * branch replaces only what was carried last.
 */
export function pushCommand({
  started,
  squashed,
  carry,
}: Readonly<{ started: FactOf<'run-started'>; squashed?: unknown; carry: Carried }>): string {
  const { run, branch } = started;
  const over = squashed && carry.head ? ` --force-with-lease=${shellWord(`${branch}:${carry.head}`)}` : '';
  const refs = `refs/pawl/${run}/carrying:refs/pawl/${run}/carried`;
  return `git push --atomic${over} ${[carry.remote, refs, branch].map(shellWord).join(' ')}`;
}

/** `head`: of the branch, as the remote had it last. */
type Carried = Readonly<{ remote: string; head?: string }>;
