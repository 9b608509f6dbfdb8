// What there is to say of a run: the receipt, the page and pull requests render it.
import { commandAgain } from '../../event/again.ts';
import { readLedger, type Spent } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { shellWord } from '../../shell-word.ts';
import { retell } from '../events/format-event.ts';
import { formatDifference } from '../events/format-task.ts';
import { formatReplanEnd } from '../events/format-work.ts';
import { judgeFindings } from '../findings/judge-findings.ts';
import { type Block, block, code, plain, warn } from '../text/block.ts';
import {
  formatCommand,
  formatCount,
  formatList,
  formatMs,
  formatSpan,
  formatSpent,
  formatTimes,
  formatTokens,
} from '../text/figure.ts';
import { formatExit, formatProofs } from '../text/run-words.ts';
import { nextBlocks } from './report-next.ts';
import { alarmsOf, lead, reviewLead, reviewSection } from './report-review.ts';
import {
  checkBlock,
  lookAt,
  proofBlocks,
  type ReportOptions,
  type ReportSection,
  reportWork,
  type WorkReport,
} from './report-work.ts';
import type { RunView } from './run-view.ts';
import { viewRun } from './view-run.ts';

export type RunReport = ReturnType<typeof reportRun>;

export function reportRun(state: RunState, options: ReportOptions = {}) {
  const tasks = [...state.tasks.keys()].flatMap((id) => reportWork(state, id, options) ?? []);
  const { live = false, until } = options;
  const view = viewRun(state, { isHeld: live, until });
  const findings = judgeFindings(state);
  return {
    view,
    findings,
    /** What is not proven, first. */
    alarms: [...alarmsOf(state, tasks), ...reviewLead(findings)],
    /** Whether it goes on, and why not. */
    stand: standBlock(state, live),
    summary: [titleBlock(view), totalBlock(state)],
    /** Each task of the plan that has a story, or waits for one. */
    tasks,
    sections: [reviewSection(state, findings, options), ...sectionsOf(state, view, tasks)].filter(
      ({ blocks }) => blocks.length > 0,
    ),
    next: !state.course.ended && live ? [] : nextBlocks(state, view),
  };
}

function sectionsOf(state: RunState, view: RunView, tasks: readonly WorkReport[]): readonly ReportSection[] {
  const { plan, atEnd, squashed, requests, ci } = state;
  const finalizing = [...state.fixes.values()].find(({ fix }) => !fix);
  const leftOf = (kind: 'manual' | 'optional') =>
    (plan?.tasks ?? []).flatMap(({ id, [kind]: steps = [] }) =>
      steps.map((step) => plain(`${step} (task ${id})`)),
    );
  return [
    { title: proofTitle, blocks: [...proofBlocks(state), ...retell(state.freshVerified)] },
    { title: 'The dialogue', blocks: retell(...state.dialogue) },
    {
      title: 'Finalized',
      blocks: [
        ...(finalizing && !finalizing.ended ? [warn('Not finished')] : []),
        ...retell(finalizing?.ended, ...(finalizing?.tamper ?? []), squashed),
      ],
    },
    { title: 'Published', blocks: retell(...requests.values(), ci) },
    {
      title: 'Not done',
      blocks: tasks
        .filter(({ isUntouched }) => isUntouched)
        .map(({ id, title }) => plain(`Task ${id}: ${title}`)),
    },
    { title: 'Left for you: manual steps', blocks: leftOf('manual'), isForYou: true },
    { title: 'Optional steps, not waited for', blocks: leftOf('optional') },
    {
      title: 'Open boxes that no task tracks',
      blocks: (plan?.outside ?? []).map(({ text }) => plain(text)),
      isForYou: true,
    },
    { title: 'Checks at the end', blocks: atEnd.map((check) => checkBlock(check)) },
    { title: 'Red before the first task, and not green since', blocks: redBefore(state) },
    { title: 'Look at this', blocks: lookBlocks(state) },
    { title: 'Carried', blocks: carryBlocks(state) },
    { title: 'Cost and time', blocks: costBlocks(state, view) },
    { title: 'Lessons, verified by nobody', blocks: lessonBlocks(state) },
  ];
}

function titleBlock({ what, title, branch, tasks }: RunView): Block {
  if (what === 'planning') return lead('plain', `Planning: ${title}`);
  const closedOf = tasks.total === 0 ? '' : `: ${formatProofs(tasks)}`;
  return block('lead', 'plain', `${title}${closedOf}, on branch `, code(branch));
}

function totalBlock({ started, course: { ended }, lastAt }: RunState): Block {
  const [from, to] = [Date.parse(started.at), Date.parse(ended?.at ?? lastAt)];
  const change = ended && formatDifference(ended);
  const span = `${formatSpan(from, to)} (${formatMs(to - from)})`;
  return lead('plain', change === undefined ? span : `${change}; ${span}`);
}

function standBlock(state: RunState, live: boolean): Block {
  const { waiting } = state;
  const { ended } = state.course;
  if (!ended && live) return lead('warn', `Not finished: ${waiting ? 'waiting' : 'pawl is working on it'}`);
  if (!ended) {
    const died = 'Not finished: pawl was killed, or the machine went down; ';
    return block('lead', 'bad', died, code(commandAgain(state)), ' continues');
  }
  const { exit, finished } = ended;
  const reasons = ended.reasons.filter((reason) => reason.exit === exit).map(({ text }) => text);
  const why = [...new Set([formatExit(exit, ended.reasons), ...reasons])].join('; ');
  if (!finished) return lead('bad', `Not finished: ${exit === 0 ? (reasons[0] ?? 'stopped as asked') : why}`);
  return exit === 0 ? lead('good', 'Finished') : lead('warn', `Finished: ${why}`);
}

export const proofTitle = 'Proof';

/** Checks that are still red: unless the plan excuses it, each keeps every task from closing. */
function redBefore({ baseline, tasks, fixes, atEnd, course: { ended } }: RunState): readonly Block[] {
  const later = [...tasks.values(), ...fixes.values()].flatMap(({ checks }) => checks).concat(atEnd);
  const turned = new Set(later.filter(({ result }) => result === 'green').map(({ command }) => command));
  const wayOut = ['. No task closes over it: fix it, or mark it ', code('(known red)'), ' in the plan'];
  return baseline
    .filter(({ result, command }) => result !== 'green' && !turned.has(command))
    .map((check) => checkBlock(check, ...(check.knownRed || ended?.finished ? [] : wayOut)));
}

function lookBlocks(state: RunState): readonly Block[] {
  const { notes, notices, flakiness, refusedHosts, setAside, replans, kept } = state;
  const { ended } = state.course;
  const waiting = notes.filter(({ session }) => session === undefined);
  // A ground's cost leaves nothing to do.
  const texts = (isPlain: boolean) =>
    new Set(notices.filter(({ code }) => (code === 'ground-cost') === isPlain).map(({ text }) => text));
  return [
    ...replans.flatMap(({ started, ended }) =>
      ended?.result === 'taken'
        ? [warn(`Re-plan ${started.replan}, at task ${started.task}: ${formatReplanEnd(ended)}`)]
        : [],
    ),
    ...retell(...setAside),
    ...waiting.map(({ note, text }) =>
      warn(`No session was given note ${note}${ended?.finished ? '' : ' yet'}: ${text}`),
    ),
    ...lookAt(state),
    ...retell(...refusedHosts),
    ...flakiness.flaky.map((command) =>
      warn('Flaky: ', code(formatCommand(command)), ' was red, then green on exactly the same files'),
    ),
    ...(kept.length === 0 ? [] : [warn(`Your changes to ${formatList(kept)} stayed; the branch has more`)]),
    ...[...texts(false)].map((text) => warn(text)),
    ...[...texts(true)].map((text) => plain(text)),
  ];
}

/** None for a run that stayed on one machine and is fully carried. */
function carryBlocks({ carry, workAside: rescue, course: { ended } }: RunState): readonly Block[] {
  if (!carry) return [];
  const { failed, fenced, takenFrom } = carry;
  return [
    ...(takenFrom.length === 0 ? [] : [plain(`Taken up from ${formatList([...new Set(takenFrom)])}`)]),
    ...retell(fenced, fenced && rescue ? { type: 'carry', state: 'work-aside', rescue } : undefined),
    // What follows the end says how to carry the rest.
    ...retell(failed).slice(0, ended && failed?.what === 'all' ? 1 : 2),
  ];
}

const mostLessons = 40;

function lessonBlocks({ lessons, started }: RunState): readonly Block[] {
  if (lessons.length === 0) return [];
  const command = code(`pawl report ${shellWord(started.plan)} --lessons >> AGENTS.md`);
  return [
    ...lessons.slice(-mostLessons).map(({ says }) => plain(says)),
    plain('To keep them: ', command, ' (or CLAUDE.md), then edit'),
  ];
}

/** What it cost, how long it took, and how often a person had to act. */
export function costBlocks(state: RunState, { spent, times, apiEquivalent }: RunView): readonly Block[] {
  const { resumes, interventions, sessions } = state;
  const { size } = new Set([...sessions.values()].flatMap(({ started: { lane } }) => lane ?? []));
  const label = apiEquivalent === undefined ? '' : ` (${apiEquivalent})`;
  const agents = [...readLedger(state).byAgent];
  const starts = resumes === 0 ? '' : `; in ${resumes + 1} starts`;
  const lanes = size === 0 ? '' : `; in ${formatCount(size, 'lane')}`;
  const acted = interventions.length === 1 ? 'once' : `${interventions.length} times`;
  const every = formatMs(times.atWork / interventions.length);
  return [
    plain(`Spent: ${withTokens(spent)}${label}`),
    ...(agents.length < 2 ? [] : agents.map(([agent, its]) => plain(`${agent}: ${withTokens(its)}`))),
    plain(`Time: ${formatTimes(times)}${starts}${lanes}`),
    ...(interventions.length === 0 ? [] : [plain(`A person acted ${acted}, every ${every} at work`)]),
  ];
}

/** Tokens are a lower bound if a session told none. */
function withTokens(spent: Spent): string {
  const { tokens, tokensAtLeast } = spent;
  if (!tokens) return formatSpent(spent);
  const { input, output, cacheRead, cacheWrite } = tokens;
  const turns = `${formatTokens(input)} input, ${formatTokens(output)} output`;
  const cache = `${formatTokens(cacheRead)} cache read, ${formatTokens(cacheWrite)} cache write`;
  return `${formatSpent(spent)}; ${tokensAtLeast ? 'at least ' : ''}${turns}, ${cache} tokens`;
}
