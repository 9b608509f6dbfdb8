// What spans say, from the facts that begin and end them: attributes, and why one ended badly.
import { defined } from '../defined.ts';
import type { FactOf, Stamped } from '../event.ts';
import { genAi, own, providers } from './names.ts';
import type { Attributes } from './span.ts';

type End = Readonly<{ attributes: Attributes; error?: string }>;

/** For a start of pawl, counted from 1. */
export function describeStart(started: FactOf<'run-started'>, start: number): Attributes {
  const { run, title, plan, branch, base } = started;
  return {
    ...{ [genAi.operation]: genAi.workflow, [genAi.agentName]: title },
    ...{ [own.run]: run, [own.start]: start, [own.title]: title, [own.plan]: plan },
    ...{ [own.branch]: branch, [own.base]: base },
  };
}

export function describeEnd({ exit, finished, reasons }: FactOf<'run-ended'>): End {
  const why = reasons.find((reason) => reason.exit === exit)?.text ?? `exit ${exit}`;
  return {
    attributes: {
      [own.exit]: exit,
      [own.finished]: finished,
      [own.reasons]: reasons.map(({ text }) => text),
    },
    ...(exit === 0 ? {} : { error: why }),
  };
}

export const tickedByHand: End = { attributes: { [own.taskResult]: 'closed-by-hand' } };

export function describeTaskEnd(fact: FactOf<'task-closed' | 'task-set-aside'>): End {
  if (fact.type !== 'task-closed')
    return {
      attributes: { [own.taskResult]: fact.as },
      ...(fact.as === 'failed' ? { error: fact.reason } : {}),
    };
  const { proof, oid, files, insertions, deletions } = fact;
  return {
    attributes: {
      ...{ [own.taskResult]: 'closed', [own.proof]: proof, [own.commit]: oid },
      ...{ [own.files]: files, [own.insertions]: insertions, [own.deletions]: deletions },
    },
  };
}

export function describeSession(fact: FactOf<'session-started'>): Attributes {
  const { session, role, agent, model, attempt, reviewer } = fact;
  const provider = providers[agent];
  return {
    ...{ [genAi.operation]: genAi.agent, [genAi.agentName]: reviewer ?? role },
    ...{ [own.session]: session, [own.role]: role, [own.agent]: agent },
    ...defined({
      [genAi.provider]: provider,
      [genAi.requestModel]: model,
      [own.attempt]: attempt,
      [own.reviewer]: reviewer,
    }),
  };
}

export function describeSessionEnd(fact: FactOf<'session-ended'>): End {
  const { outcome, reason, costAtLeast } = fact;
  return {
    attributes: {
      ...{ [own.outcome]: outcome, [own.reason]: reason, [own.costAtLeast]: costAtLeast },
      ...costOf(fact),
    },
    ...(goodOutcomes.has(outcome) ? {} : { error: outcome }),
  };
}

const goodOutcomes: ReadonlySet<string> = new Set([
  'done',
  'already-done',
  'needs-input',
  'replan',
  'interrupted',
]);

export function costOf({ costUsd, tokens }: Pick<FactOf<'session-ended'>, 'costUsd' | 'tokens'>): Attributes {
  return {
    ...defined({ [own.cost]: costUsd }),
    ...(tokens === undefined
      ? {}
      : {
          // Everything that was read, from a cache or not.
          [genAi.inputTokens]: tokens.input + tokens.cacheRead + tokens.cacheWrite,
          [genAi.outputTokens]: tokens.output,
          [genAi.cacheReadTokens]: tokens.cacheRead,
          [genAi.cacheWriteTokens]: tokens.cacheWrite,
        }),
  };
}

export function describeCheckEnd({ result, exitCode }: FactOf<'check-ended'>): End {
  return {
    attributes: { [own.result]: result, ...(exitCode === null ? {} : { [own.exitCode]: exitCode }) },
    ...(result === 'green' || result === 'interrupted' ? {} : { error: result }),
  };
}

export function describeStageEnd({ end, open }: FactOf<'stage-ended'>): End {
  return {
    attributes: { [own.stageEnd]: end, [own.openFindings]: open.length },
    ...(end === 'clean' || end === 'settled' || end === 'skipped' ? {} : { error: end }),
  };
}

/** The key of a check's span: the same check may run in several lanes at once. */
export function keyOfCheck({
  check,
  task,
  when,
  lane,
}: Stamped<FactOf<'check-started'> | FactOf<'check-ended'>>): string {
  return `check ${task ?? ''} ${when} ${check}${lane === undefined ? '' : ` ${lane}`}`;
}
