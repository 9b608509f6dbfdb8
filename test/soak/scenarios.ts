// What is killed: plans and agents whose every end is known, so that any other end is a difference.
import { letterPlan } from '../helpers/letters.ts';
import { runCommand, type Scenario } from './stage.ts';

const write = (letter: string) => `echo ${letter} > ${letter}.txt`;
const commit = 'git add -A && git -c core.hooksPath=/dev/null commit -qm mine';

/** Three tasks: one plain, one whose first answer is red and corrected, one that the agent commits itself; then the archive. */
export const threeTasks: Scenario = {
  name: 'three tasks',
  plan: letterPlan('a', 'b', 'c'),
  work: {
    1: write('a'),
    2: `if [ -e b.txt ]; then ${write('b')}; else echo wrong > b.txt; fi`,
    3: `${write('c')} && ${commit}`,
  },
};

const asks = 'echo half > a.txt; marker=NEEDS_INPUT';

/** The first task asks a person; its work is taken out of the tree and the other one goes on. */
export const parked: Scenario = {
  name: 'a task that asks, and another',
  plan: letterPlan('a', 'b').replaceAll('- check', '- depends: none\n- check'),
  work: { 1: asks, 2: write('b') },
  env: { PAWL_KEEP_GOING: 'true' },
  // With or without the number of closed tasks, by which `fine` tells effects apart.
  only: /^(\d+ )?(round-ended|rescue-saved|task-set-aside)/,
  exit: 3,
};

const found =
  '{"file":"why.txt","line":0,"severity":"major","title":"Nothing says why","evidence":"a","suggestion":""}';

/** The task's work is reviewed by two at once, one of whom complains until it is mended, which a second round confirms. */
export const reviewed: Scenario = {
  name: 'a review that has something to mend',
  plan: letterPlan('a'),
  work: {
    1: write('a'),
    review: `found=; [ -e why.txt ] || found='${found}'; answer='{"findings":['$found']}'`,
    fix: `echo why > why.txt; answer='{"answers":[{"finding":"F1","answer":"fixed","reason":"it is said"}]}'`,
  },
  env: { PAWL_REVIEW_STAGES: '[{name: first, reviewers: [quality, testing]}]' },
};

const makeWay = '### Task 0: Make way\n- check: `test -d way`\n- [ ] way\n';
const blocked = '### Task 1: Write two\n- check: `grep -qx two two.txt`\n- [ ] two\n';

/** A task that fails as it is planned; the planner puts another before it. */
export const replanned: Scenario = {
  name: 're-plan',
  plan: `# Plan: Two\n\n${blocked}`,
  work: {
    0: 'mkdir -p way && touch way/.keep',
    1: 'if [ -d way ]; then echo two > two.txt; else echo no > two.txt; fi',
    replan: `draft='${`${makeWay}\n${blocked}`.replaceAll('\n', '\\n')}'`,
  },
  env: { PAWL_REPLAN: 'on-failure', PAWL_TASK_ATTEMPTS: '1', PAWL_TASK_CORRECTIONS: '0' },
};

/** Two tasks whose commits are squashed at the end, beside a file that is new then. */
export const finalized: Scenario = {
  name: 'a finalizing and a squash',
  plan: letterPlan('a', 'b'),
  work: {
    1: write('a'),
    2: write('b'),
    finalize: 'echo z > z.txt',
  },
  env: { PAWL_FINALIZE_PROMPT: 'Add the last letter.', PAWL_FINALIZE_SQUASH: 'true' },
};

/** Tasks that do not wait for each other, three at a time, on a branch that the person has checked out. */
const inLanes = {
  command: [...runCommand, '--jobs', '3', '--branch', 'plan'],
  more: 'git switch -qc plan\n',
  anyOrder: true,
} as const satisfies Partial<Scenario>;

function freePlan(letters: readonly string[], check?: string): string {
  const plan = letterPlan(...letters).replaceAll('- check', '- depends: none\n- check');
  return check === undefined ? plan : plan.replace('## Overview', `## Checks\n- \`${check}\`\n\n## Overview`);
}

/** Three lanes whose work has nothing in common. */
export const lanesApart: Scenario = {
  ...inLanes,
  name: 'lanes with nothing in common',
  plan: freePlan(['a', 'b', 'c']),
  work: { 1: write('a'), 2: write('b'), 3: `${write('c')} && ${commit}` },
};

// The file that its own check asks for comes last: killed before it, the work is not green without its line.
const addLine = (letter: string) =>
  `{ cat all.txt 2>/dev/null; echo ${letter}; } | grep -v '^[<>=]' | sort -u > all.new; mv all.new all.txt; ${write(letter)}`;

/** Three lanes that write the same lines: each conflict is resolved by whose work it is. */
export const lanesOnLines: Scenario = {
  ...inLanes,
  name: 'lanes on the same lines',
  plan: freePlan(['a', 'b', 'c'], '! grep -q "[<>=]" all.txt'),
  work: { 1: addLine('a'), 2: addLine('b'), 3: addLine('c') },
};

const pairUp = (letter: string, own: string, other: string) =>
  `${write(letter)}; [ -e both ] || if [ -e ${other} ]; then rm -f ${own} ${other}; touch both; else touch ${own}; fi`;
const notBoth = '! { test -e one && test -e two; }';

/** Two lanes that are green alone and red together, and one beside them. */
export const lanesThatClash: Scenario = {
  ...inLanes,
  name: 'lanes that are red together',
  plan: freePlan(['a', 'b', 'c'], notBoth),
  work: { 1: pairUp('a', 'one', 'two'), 2: pairUp('b', 'two', 'one'), 3: write('c') },
};

/** Two lanes, and a review that has something to mend after them, in the run's own ground. */
export const lanesReviewed: Scenario = {
  ...reviewed,
  ...inLanes,
  name: 'lanes, and a review after them',
  plan: freePlan(['a', 'b']),
  work: { ...reviewed.work, 1: write('a'), 2: write('b') },
};

const isUndone: Scenario['isLast'] = (event) => event.type === 'undo' && event.state === 'ended';

/** The last task of a finished run is taken back. */
export const undo: Scenario = {
  ...threeTasks,
  name: 'undo',
  before: [runCommand],
  command: ['undo', '3'],
  isLast: isUndone,
};

export const scenarios: readonly Scenario[] = [
  threeTasks,
  parked,
  reviewed,
  replanned,
  finalized,
  lanesApart,
  lanesOnLines,
  lanesThatClash,
  lanesReviewed,
  undo,
];

/** What a scenario's command is. */
export function commandOf({ command }: Scenario): readonly string[] {
  return command ?? runCommand;
}
