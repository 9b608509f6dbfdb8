// A run as JUnit XML for CI servers: each task and each review stage is a test case. The schema is Apache Ant's, which
// Jenkins, GitLab and Azure read. A task without a check's proof is never a passed test.
import { defined } from '../../defined.ts';
import { proofWordOf } from '../../event/proof-word.ts';
import type { FactOf } from '../../event.ts';
import type { RunState, SessionState, TaskState } from '../../journal/state.ts';
import { formatResult } from '../events/format-check.ts';
import { formatCommand } from '../text/figure.ts';
import { cleanText } from '../text/line.ts';
import { type FindingItem, isGoodEnd, isUnsettled, judgeFindings, type StageItem } from './findings.ts';
import { formatStage, placeOf } from './format-findings.ts';

type Case = Readonly<{
  name: string;
  seconds: number;
  /** Why it did not pass; absent if it passed. */
  not?: Readonly<{ how: 'failure' | 'error' | 'skipped'; type: string; message: string; text: string }>;
}>;

/** The document; without tasks and stages it has no suites. */
export function toJunit(state: RunState): string {
  const { findings, stages } = judgeFindings(state);
  const suites = [
    { name: 'tasks', cases: [...state.tasks.values()].map((task) => taskCase(state, task)) },
    { name: 'review', cases: stages.map((stage) => stageCase(state, stage, findings)) },
  ];
  const shown = suites.filter(({ cases }) => cases.length > 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...shown.map((suite, id) => suiteOf(state, { ...suite, id })),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOf(
  state: RunState,
  { name, cases, id }: Readonly<{ name: string; cases: readonly Case[]; id: number }>,
): string {
  const { started } = state;
  const count = (how: string) => cases.filter(({ not }) => not?.how === how).length;
  const head = attributes({
    name: `${started.title}: ${name}`,
    package: packageOf(started.plan),
    id,
    // The schema allows neither fractions nor a zone.
    timestamp: started.at.slice(0, 19),
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsOf(cases.reduce((sum, { seconds }) => sum + seconds, 0)),
  });
  return [
    `  <testsuite${head}>`,
    '    <properties>',
    ...[
      ['run', started.run],
      ['branch', started.branch],
      ['agent', started.agent],
    ].map(([key, value]) => `      <property${attributes({ name: key ?? '', value: value ?? '' })}/>`),
    '    </properties>',
    ...cases.map((each) => caseOf(each, `${packageOf(started.plan)}.${name}`)),
    '    <system-out/>',
    '    <system-err/>',
    '  </testsuite>',
  ].join('\n');
}

function caseOf({ name, seconds, not }: Case, classname: string): string {
  const head = `    <testcase${attributes({ name, classname, time: secondsOf(seconds) })}`;
  if (!not) return `${head}/>`;
  const { how, type, message, text } = not;
  const about = attributes(how === 'skipped' ? { message } : { message, type });
  return `${head}>\n      <${how}${about}>${escapeXml(plain(text))}</${how}>\n    </testcase>`;
}

function taskCase(state: RunState, task: TaskState): Case {
  const sessions = [...state.sessions.values()].filter(({ started }) => started.task === task.id);
  return {
    name: `Task ${task.id}: ${task.title}`,
    seconds: (sum(sessions) + task.checkMs) / 1000,
    ...withNot(howNot(state, task)),
  };
}

function howNot({ plan }: RunState, task: TaskState): Case['not'] {
  const skipped = (type: string, message: string): Case['not'] => ({
    how: 'skipped',
    type,
    message,
    text: '',
  });
  switch (task.standing) {
    case 'closed':
      return proofWordOf(task) !== 'unchecked'
        ? undefined
        : skipped('unchecked', `closed without the proof of a check: ${task.closed?.reason ?? ''}`);
    case 'closed-by-hand':
      return skipped('by-hand', 'closed by hand; pawl ran no check for it');
    case 'skipped':
      return skipped('skipped', 'skipped by a person');
    case 'failed':
      return {
        how: 'failure',
        type: 'failed',
        message: task.failed?.reason ?? 'failed',
        text: checksOf(task),
      };
    case 'parked':
      return { how: 'error', type: 'parked', message: `it asks: ${task.question ?? ''}`, text: '' };
    case 'open': {
      if (task.start !== undefined)
        return {
          how: 'error',
          type: 'unfinished',
          message: task.lastRound?.reason ?? 'not finished',
          text: checksOf(task),
        };
      const before = plan?.tasks.find(({ id }) => id === task.id)?.closed ?? false;
      return skipped('open', before ? 'closed before the run' : 'not begun');
    }
  }
}

/** The last result of each check. */
function checksOf({ checks }: TaskState): string {
  const last = new Map(checks.map((check) => [check.check, check]));
  return [...last.values()].flatMap(formatCheck).join('\n');
}

function formatCheck(check: FactOf<'check-ended'>): readonly string[] {
  const text = `${formatCommand(check.command)}: ${formatResult(check)}`;
  return check.says === undefined || check.result === 'green' ? [text] : [text, check.says];
}

function stageCase(state: RunState, stage: StageItem, findings: readonly FindingItem[]): Case {
  const open = findings.filter((each) => isUnsettled(each) && each.stages.includes(stage.stage));
  const text = open.map((each) => `${each.id} ${each.severity} ${placeOf(each)} ${each.title}`).join('\n');
  const message = formatStage(stage);
  const how = stage.end === undefined ? 'error' : stage.end === 'skipped' ? 'skipped' : 'failure';
  return {
    name: `Review ${stage.stage}`,
    seconds: stageSeconds(state, stage.stage),
    ...withNot(isGoodEnd(stage.end) ? undefined : { how, type: stage.end ?? 'unfinished', message, text }),
  };
}

/** The time of its reviewers' sessions, including concurrent ones, and of its fixers. */
function stageSeconds({ review, fixes, sessions }: RunState, name: string): number {
  const heard = new Set(review.stages.get(name)?.rounds.flatMap((round) => round.sessions));
  const fixed = [...fixes.values()].filter(({ fix }) => fix?.stage === name);
  const ids = new Set(fixed.map(({ id }) => id));
  const all = [...sessions.values()].filter(
    ({ started: { session, task = '' } }) => heard.has(session) || ids.has(task),
  );
  return (sum(all) + fixed.reduce((ms, { checkMs }) => ms + checkMs, 0)) / 1000;
}

function withNot(not: Case['not']): Pick<Case, 'not'> {
  return defined({ not });
}

function sum(sessions: readonly SessionState[]): number {
  return sessions.reduce((all, { ended }) => all + (ended?.durationMs ?? 0), 0);
}

function secondsOf(seconds: number): string {
  return seconds.toFixed(3);
}

/** A plan's path as the dotted name that servers group by. */
function packageOf(plan: string): string {
  return plan.replace(/^\/+/, '').replace(/\.md$/, '').replaceAll('/', '.');
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(plain(String(value)).replaceAll(/\s+/g, ' ').trim())}"`)
    .join('');
}

/** Text without characters that XML 1.0 cannot represent. */
function plain(text: string): string {
  return text.split('\n').map(cleanText).join('\n').replaceAll(strange, '');
}

const strange = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
