// What a planner's draft lacks, before and after its checks were tried; mistakes that keep a plan from running are
// lint's.
import type { RootContent } from 'mdast';
import { toString as wordsIn } from 'mdast-util-to-string';
import type { FactOf } from '../event.ts';
import { readMarkdown } from './markdown.ts';
import { programsOf } from './missing.ts';
import { type Check, isClosed, type Plan, type Task, textOutside } from './plan.ts';
import { endOfFrontMatter } from './settings.ts';

/** More steps are more than one concern. */
const mostSteps = 7;

type DraftSection = Readonly<{ name: string; words: RegExp; ask: string; isMet?: (plan: Plan) => boolean }>;

const wanted: readonly DraftSection[] = [
  {
    name: 'Overview',
    words: /\b(?:overview|summary|goal|purpose|why)\b/i,
    ask: 'say in 2 to 5 sentences why this is done, and what done looks like',
  },
  {
    name: 'Context',
    words: /\b(?:context|files|background)\b/i,
    ask: 'name the files that are touched, the new ones, and what the work depends on',
  },
  {
    name: 'Acceptance Criteria',
    words: /\b(?:criteria|acceptance|done when|definition of done)\b/i,
    ask: 'say how it shows that the whole is done',
    isMet: ({ tasks }) => tasks.some(({ criteria }) => criteria.length > 0),
  },
  {
    name: 'Risks and Assumptions',
    words: /\b(?:risks?|assumptions?)\b/i,
    ask: 'name what may go wrong and what was assumed, or say why there is nothing',
  },
  {
    name: 'Left for a Person',
    words: /\b(?:person|people|human|manual|by hand|post-completion)\b/i,
    ask: 'name what no agent can do, or write “Nothing.”',
  },
];

/** One sentence each. */
export function findLacks(plan: Plan): readonly string[] {
  // Without tasks, lint says all; a single task needs only an overview.
  if (plan.tasks.length === 0) return [];
  const sections = plan.tasks.length === 1 ? wanted.slice(0, 1) : wanted;
  return [
    ...sections.flatMap((section) => findMissing(plan, section)),
    ...plan.tasks.flatMap((task) => lacksOfTask(plan, task)),
    ...plan.tasks.flatMap((task) => laterNeeds(plan, task)),
  ];
}

/** Without a heading: what precedes the first. */
type PlanSection = Readonly<{ heading: string | undefined; text: string }>;

/** Without the title and comments. */
export function sectionsOutside(plan: Plan): readonly PlanSection[] {
  const outside = textOutside(plan.text, plan.tasks);
  const sections: { heading: string | undefined; blocks: string[] }[] = [{ heading: undefined, blocks: [] }];
  for (const block of readMarkdown(outside, endOfFrontMatter(outside)).children) {
    if (block.type === 'heading' && block.depth > 1) sections.push({ heading: wordsIn(block), blocks: [] });
    else if (block.type !== 'heading' && !isComment(block))
      sections.at(-1)?.blocks.push(outside.slice(block.position?.start.offset, block.position?.end.offset));
  }
  return sections.map(({ heading, blocks }) => ({ heading, text: blocks.join('\n\n') }));
}

function isComment(block: RootContent): boolean {
  return block.type === 'html' && /^\s*<!--[\s\S]*-->\s*$/.test(block.value);
}

function findMissing(plan: Plan, { name, words, ask, isMet }: DraftSection): string[] {
  if (isMet?.(plan)) return [];
  const found = sectionsOutside(plan).filter(
    // Below the title, before any heading.
    ({ heading }) => (heading === undefined ? name === 'Overview' : words.test(heading)),
  );
  if (found.some(({ text }) => text !== '')) return [];
  const state = found.some(({ heading }) => heading !== undefined) ? 'is empty' : 'is missing';
  return [`the section \`## ${name}\` ${state}: ${ask}`];
}

function lacksOfTask(plan: Plan, task: Task): readonly string[] {
  const { id, steps } = task;
  const isTicked = steps.some((step) => step.ticked);
  const own = task.checks.filter(({ atEnd, knownRed }) => !atEnd && !knownRed);
  const ofPlan = own.find((check) => plan.checks.some((other) => isSame(check, other)));
  const lacks = [
    steps.length > mostSteps &&
      `task ${id} has ${steps.length} steps: split it into tasks of one concern each, with at most ${mostSteps}`,
    steps.some(({ implicit }) => implicit) &&
      `task ${id} has no boxes: write each of its steps as a line \`- [ ] text\``,
    isTicked && `task ${id} ticks what nobody did yet: leave all its boxes open`,
    steps.length > 0 &&
      !isTicked &&
      isClosed(task) &&
      `task ${id} has no step for an agent, so it would close by itself: put it under \`## Left for a Person\``,
    own.length === 0 &&
      `task ${id} has no check of its own: add a line "- check: \`command\`" that fails now and passes then`,
    ofPlan &&
      `the check \`${ofPlan.command}\` of task ${id} is one of the plan's, which runs for every task: give it one of its own`,
  ].filter((lack) => typeof lack === 'string');
  return ofPlan ? lacks : [...lacks, ...sharedChecks(plan, task, own)];
}

function sharedChecks(plan: Plan, task: Task, own: readonly Check[]): readonly string[] {
  const before = plan.tasks.slice(0, plan.tasks.indexOf(task));
  return own.flatMap((check) => {
    const other = before.find((one) => one.checks.some((early) => isSame(early, check)));
    if (!other) return [];
    return `tasks ${other.id} and ${task.id} have the same check \`${check.command}\`, which passes once the first is done`;
  });
}

function isSame(one: Check, other: Check): boolean {
  return one.command.trim() === other.command.trim() && one.cwd === other.cwd;
}

/** People read in order, so what a task needs comes first. */
function laterNeeds(plan: Plan, { id, depends }: Task): string[] {
  const ids = plan.tasks.map((task) => task.id);
  const later = (depends ?? []).filter((other) => ids.indexOf(other) > ids.indexOf(id));
  return later.map((other) => `task ${id} needs task ${other}, which comes later: move it after that one`);
}

export type CheckResult = FactOf<'check-ended'>['result'];

/** Without excused ones, and without the plan's own, which may already pass. */
export function checksToTry(plan: Plan): readonly Check[] {
  return plan.tasks.flatMap(({ checks }) => checks.filter(({ knownRed }) => !knownRed));
}

/** `tried`: by their ids, each for so many seconds at most. */
export function judgeTriedChecks(
  plan: Plan,
  tried: ReadonlyMap<string, CheckResult>,
  seconds: number,
): readonly string[] {
  const needed = programsOf(plan, []);
  return plan.tasks.flatMap((task) =>
    task.checks.flatMap((check) => {
      const result = tried.get(check.id);
      const name = `the check \`${check.command}\` of task ${task.id}`;
      const never = needed.find((one) => one.check === check && !one.isBrought);
      if (result === 'green')
        return `${name} passes before any work, so it proves nothing: choose one that fails until the task is done`;
      if (result === 'timed-out')
        return `${name} did not end within ${seconds} s when it was tried: choose one that ends by itself, and soon`;
      if (result === 'could-not-run' && never)
        return `${name} cannot start: there is no ${never.program}, and no task up to it speaks of it`;
      return [];
    }),
  );
}
