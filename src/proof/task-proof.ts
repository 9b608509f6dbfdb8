// Pure. What a task's checks prove about its work, and what reviewers should read first.
import type { ProofWord } from '../event/task.ts';
import type { FactOf } from '../event.ts';

/** `reasons`: why not more, without a full stop, the gravest first. */
export type TaskProof = Readonly<{ word: ProofWord; reasons: readonly string[] }>;

/** Of a tree not committed yet. `missed`: what no test misses, in words. */
export type TreeProof = TaskProof &
  Readonly<{ missed: readonly string[]; experiments?: Experiments | undefined }>;

export type Experiments = NonNullable<FactOf<'proof-judged'>['experiments']>;

export type ProofSeen = Readonly<{
  /** Checks that count and are green on the committed tree. */
  ran: number;
  /** A check of its own: red before the work, green now. */
  turnedGreen: boolean;
  /** Why green proves nothing: a changed definition, files in no commit, complaints of `judge-counts.ts`. */
  unproved: readonly string[];
  /** Absent: none (`prove: off`), or still to come. */
  experiments?: Experiments | undefined;
  /** Why those that were wanted could not be made. */
  untried?: string | undefined;
  leave: Leave;
}>;

/** Allowed in the plan by a person, not a planner. */
export type Leave = Readonly<{
  /** Whether it may change this file, although that decides the checks. */
  config: (file: string) => boolean;
  /** Whether it may change this old test, by `redefines:`. */
  redefines: (file: string) => boolean;
  isRefactoring: boolean;
}>;

/** Experiments that fail take words away; only they or an own check turned green give `proven`. */
export function judgeProof(seen: ProofSeen): TaskProof {
  const { experiments, leave } = seen;
  const needed = (experiments?.configs ?? []).filter((file) => !leave.config(file));
  const against = [
    ...(seen.ran === 0 ? ['no check ran'] : []),
    ...seen.unproved,
    ...(experiments?.clean === 'red' ? ['the checks are red in a clean checkout'] : []),
    ...needed.map((file) => `with the base's ${file} the work is red`),
  ];
  if (against.length > 0) return { word: 'unchecked', reasons: against };
  const doubts = judgeDoubts(seen);
  if (doubts.length > 0) return { word: 'passed', reasons: doubts };
  if (seen.turnedGreen) return { word: 'proven', reasons: ['a check of its own was red before the work'] };
  if (experiments?.clean === 'green' && experiments.withoutWork === 'red')
    return { word: 'proven', reasons: ['its tests are red without the work'] };
  if (experiments?.clean === 'green' && leave.isRefactoring)
    return { word: 'proven', reasons: ['it refactors, and the old tests are green'] };
  return { word: 'passed', reasons: ['nothing broken, no check of its own'] };
}

function judgeDoubts({ experiments, untried, leave }: ProofSeen): readonly string[] {
  if (!experiments) return untried === undefined ? [] : [untried];
  if (experiments.clean === 'flaky') return ['the checks are flaky: green, then red on the same files'];
  const bent = experiments.redefined.filter(({ file }) => !leave.redefines(file));
  return [
    ...(bent.length > 0 ? [`old expectations no longer hold: ${bent.map(placeOf).join(', ')}`] : []),
    ...experiments.deaf.map(
      (file) => `${file} decides nothing: the checks are green with garbage in its place`,
    ),
    ...(experiments.pinsText
      ? ['a comment more in the sources makes the checks red: a test pins the text']
      : []),
    ...(leave.isRefactoring ? [] : [doubtsWithoutWork[experiments.withoutWork] ?? []].flat()),
  ];
}

const placeOf = ({ file, from }: Experiments['redefined'][number]): string => `${file}:${from}`;

const doubtsWithoutWork: Readonly<Partial<Record<Experiments['withoutWork'], string>>> = {
  green: 'nothing misses this work: the checks are green without it',
  'load-only': 'its tests only load or read this work: they are green while none of it runs',
  'tests-alone': 'only tests are new, and no run can judge what they say',
};

export function listUnproven(judged: readonly FactOf<'proof-judged'>[]): readonly string[] {
  const found = judged.flatMap(({ experiments }) => experiments ?? []);
  return [...new Set(found.flatMap(nameUnproven))];
}

export function nameUnproven({ redefined, deaf, indifferent, hunks }: Experiments): readonly string[] {
  return [
    ...redefined.map(
      ({ file, from }) => `${file}:${from}: changed, and red as it was before: is the new expectation right?`,
    ),
    ...deaf.map((file) => `${file}: the checks are green with garbage in its place`),
    ...indifferent.map((file) => `${file}: green without the work`),
    ...hunks.unproven.map(({ file, from, to, executed }) => {
      const why =
        executed === undefined ? '' : executed ? ', though it is executed' : ' and it is never executed';
      return `${file}:${from}${to > from ? `-${to}` : ''}: no test misses it${why}`;
    }),
  ];
}
