// What a fact adds to the metrics of this process.
import { defined } from '../defined.ts';
import type { ProofWord } from '../event/proof.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import { genAi, metrics, own, providers } from './names.ts';
import type { Attributes } from './trace.ts';

/** An amount for a counter or, with seconds or tokens of one use, a histogram. */
export type Measure = Readonly<{
  name: string;
  kind: 'counter' | 'histogram';
  unit: string;
  amount: number;
  attributes: Attributes;
}>;

/** `before`: the run without the fact. */
export function measuresOf(fact: Stamped<Fact>, before: RunState | undefined): readonly Measure[] {
  switch (fact.type) {
    case 'session-ended':
      return ofSession(fact, before?.sessions.get(fact.session)?.started);
    case 'task-closed':
      return fact.pending ? [] : [countClosed(fact.proof)];
    case 'proof-judged':
      return before?.tasks.get(fact.task ?? '')?.closed?.pending ? [countClosed(fact.word)] : [];
    case 'task-set-aside':
      return fact.as === 'failed' || fact.as === 'parked'
        ? [count(metrics.tasks, { [own.taskResult]: fact.as })]
        : [];
    case 'check-ended': {
      const attributes = { [own.result]: fact.result, [own.when]: fact.when };
      return [count(metrics.checks, attributes), seconds(metrics.checkDuration, fact.durationMs, attributes)];
    }
    case 'waited': {
      const began = before?.waiting;
      if (!began) return [];
      const ms = Math.max(0, Date.parse(fact.at) - Date.parse(began.at));
      return [seconds(metrics.waitDuration, ms, { [own.why]: began.why })];
    }
    case 'run-ended':
      return [count(metrics.runs, { [own.exit]: fact.exit, [own.finished]: fact.finished })];
    default:
      return [];
  }
}

function countClosed(word: ProofWord): Measure {
  return count(metrics.tasks, { [own.taskResult]: 'closed', [own.proof]: word });
}

function ofSession(
  { outcome, durationMs, costUsd, tokens }: FactOf<'session-ended'>,
  started: FactOf<'session-started'> | undefined,
): readonly Measure[] {
  const provider = started && providers[started.uses ?? started.agent];
  const who: Attributes = {
    ...defined({ [own.role]: started?.role, [own.agent]: started?.agent }),
    ...defined({ [genAi.provider]: provider, [genAi.requestModel]: started?.model }),
  };
  const operation = { ...who, [genAi.operation]: genAi.agent };
  const input = tokens && tokens.input + tokens.cacheRead + tokens.cacheWrite;
  return [
    count(metrics.sessions, { ...who, [own.outcome]: outcome }),
    seconds(genAi.agentDuration, durationMs, operation),
    ...(costUsd === undefined ? [] : [{ ...count(metrics.cost, who), unit: 'USD', amount: costUsd }]),
    ...Object.entries(tokens ?? {}).map(([type, amount]) => ({
      ...count(metrics.tokens, { ...who, [genAi.tokenType]: type }),
      ...{ unit: '{token}', amount },
    })),
    ...(tokens === undefined || input === undefined
      ? []
      : [usage('input', input, operation), usage('output', tokens.output, operation)]),
  ];
}

function usage(type: string, amount: number, operation: Attributes): Measure {
  const attributes = { ...operation, [genAi.tokenType]: type };
  return { name: genAi.tokenUsage, kind: 'histogram', unit: '{token}', amount, attributes };
}

function count(name: string, attributes: Attributes): Measure {
  return { name, kind: 'counter', unit: '1', amount: 1, attributes };
}

function seconds(name: string, ms: number, attributes: Attributes): Measure {
  return { name, kind: 'histogram', unit: 's', amount: ms / 1_000, attributes };
}
