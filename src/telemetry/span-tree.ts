// The spans of a run, from its facts: each start of pawl, each task, session, check, wait and stage. What is open when pawl
// ends, or is killed, ends with it.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { genAi, own } from './names.ts';
import { OpenSpans } from './open-spans.ts';
import type { Attributes, TraceSpan } from './span.ts';
import {
  costOf,
  describeCheckEnd,
  describeEnd,
  describeSession,
  describeSessionEnd,
  describeStageEnd,
  describeStart,
  describeTaskEnd,
  keyOfCheck,
  tickedByHand,
} from './span-attributes.ts';
import { readTraceParent, type TraceParent } from './trace.ts';

/** Makes spans from facts in order. */
export class SpanTree {
  readonly #spans: OpenSpans;
  readonly #titles = new Map<string, string>();
  #started: FactOf<'run-started'> | undefined;
  #starts = 0;
  #isPaused = false;
  #lastMs = 0;

  /** `emit`: gets each span at its end. */
  constructor(emit: (span: TraceSpan) => void) {
    this.#spans = new OpenSpans(emit);
  }

  /** Instant of the last fact that pawl itself wrote, epoch milliseconds. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The place of a session’s span, at any time before, during or after it. */
  placeOfSession(session: number): TraceParent {
    return this.#spans.placeOf('session', session);
  }

  add(fact: Stamped<Fact>): void {
    const atMs = Date.parse(fact.at);
    this.#addOfRun(fact, atMs);
    this.#addOfTask(fact, atMs);
    this.#addOfSession(fact, atMs);
    this.#addOther(fact, atMs);
    // A person’s command may be journaled long after pawl is dead.
    if (!persons.has(fact.type)) this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  #addOfRun(fact: Stamped<Fact>, atMs: number): void {
    switch (fact.type) {
      case 'run-started':
        this.#started = fact;
        this.#spans.seed(JSON.stringify(fact));
        this.#beginStart(atMs);
        this.#join(fact.traceparent);
        return;
      case 'run-resumed': {
        this.#isPaused = false;
        const error = 'pawl was killed, or the machine went down';
        this.#spans.endAll(this.#lastMs, { attributes: { [own.crashed]: true }, error });
        this.#beginStart(atMs);
        this.#join(fact.ground?.traceparent);
        return;
      }
      case 'run-ended': {
        const { attributes, error } = describeEnd(fact);
        this.#spans.change('run', (run) => ({
          attributes: { ...run.attributes, ...attributes },
          ...defined({ error }),
        }));
        this.#spans.endAll(atMs);
        return;
      }
    }
  }

  #addOfTask(fact: Stamped<Fact>, atMs: number): void {
    switch (fact.type) {
      case 'plan-read':
        for (const { id, title } of fact.tasks) this.#titles.set(id, title);
        return;
      case 'work':
        if (fact.state === 'planned') this.#titles.set(fact.task, fact.title);
        return;
      case 'task-started':
        this.#titles.set(fact.task, fact.title);
        this.#needTask(fact.task, atMs);
        return;
      case 'attempt-started':
        this.#needTask(fact.task, atMs);
        return;
      case 'round-ended': {
        const { task, verdict, reason, attempt } = fact;
        const attributes = { [own.verdict]: verdict, [own.reason]: reason, [own.attempt]: attempt };
        const round = { name: 'pawl.round', atMs, attributes };
        this.#spans.change(`task ${task}`, ({ events }) => ({ events: [...events, round] }));
        return;
      }
      case 'task-closed':
      case 'task-set-aside':
        this.#spans.end(`task ${fact.task}`, atMs, describeTaskEnd(fact));
        return;
    }
  }

  #addOfSession(fact: Stamped<Fact>, atMs: number): void {
    switch (fact.type) {
      case 'session-started': {
        const { session, task, reviewer, role, lane } = fact;
        if (task !== undefined) this.#needTask(task, atMs);
        this.#begin(`session ${session}`, {
          ...{
            name: `${genAi.agent} ${reviewer ?? role}`,
            atMs,
            attributes: { ...describeSession(fact), ...defined({ [own.lane]: lane }) },
          },
          ...{ below: task === undefined ? 'stage' : `task ${task}`, of: ['session', session] },
        });
        return;
      }
      case 'session-ready':
        this.#describe(`session ${fact.session}`, {
          ...{ [genAi.conversation]: fact.agentSession, [genAi.responseModel]: fact.model },
        });
        return;
      case 'session-cost':
        this.#describe(`session ${fact.session}`, costOf(fact));
        return;
      case 'session-ended':
        this.#spans.end(`session ${fact.session}`, atMs, describeSessionEnd(fact));
        return;
    }
  }

  #addOther(fact: Stamped<Fact>, atMs: number): void {
    switch (fact.type) {
      case 'check-started': {
        const { check, command, when, task } = fact;
        if (task !== undefined) this.#needTask(task, atMs);
        this.#begin(keyOfCheck(fact), {
          ...{ name: `check ${check}`, atMs, below: task === undefined ? 'run' : `task ${task}` },
          attributes: { [own.check]: check, [own.command]: command, [own.when]: when },
        });
        return;
      }
      case 'check-ended':
        this.#spans.end(keyOfCheck(fact), atMs, describeCheckEnd(fact));
        return;
      case 'waiting':
        if (this.#isPaused) return;
        this.#begin('wait', {
          ...{ name: `wait ${fact.why}`, atMs },
          attributes: { [own.why]: fact.why, [own.until]: new Date(fact.until).toISOString() },
        });
        return;
      case 'paused':
        this.#isPaused = true;
        this.#begin('wait', { name: 'wait pause', atMs, attributes: { [own.why]: 'pause' } });
        return;
      case 'waited':
        // Another lane's wait may end while a person has paused the run.
        if (!this.#isPaused) this.#spans.end('wait', atMs);
        return;
      case 'intervention':
        if (fact.kind === 'tick') this.#spans.end(`task ${fact.task}`, atMs, tickedByHand);
        if (fact.kind !== 'continue') return;
        this.#isPaused = false;
        this.#spans.end('wait', atMs);
        return;
      case 'stage':
        if (fact.state === 'ended') this.#spans.end('stage', atMs, describeStageEnd(fact));
        else
          this.#begin('stage', {
            name: `review ${fact.stage}`,
            atMs,
            attributes: { [own.stage]: fact.stage },
          });
        return;
    }
  }

  /** Each start of pawl is a span: the first is the trace’s root, the others are below it. */
  #beginStart(atMs: number): void {
    if (!this.#started) return;
    this.#starts += 1;
    this.#spans.begin('run', {
      name: `${genAi.workflow} ${this.#started.title}`,
      parentId: this.#starts === 1 ? undefined : this.#spans.placeOf('run', 1).spanId,
      atMs,
      attributes: describeStart(this.#started, this.#starts),
      of: ['run', this.#starts],
    });
  }

  /** The first trace that the run joins becomes its own; other callers are linked. */
  #join(traceparent: string | undefined): void {
    const caller = traceparent === undefined ? undefined : readTraceParent(traceparent);
    if (!caller) return;
    const isOwn = this.#starts === 1 && this.#spans.join(caller);
    this.#spans.change('run', ({ links }) =>
      isOwn ? { parentId: caller.spanId } : { links: [...links, caller] },
    );
  }

  #needTask(task: string, atMs: number): void {
    if (this.#spans.idOf(`task ${task}`) !== undefined) return;
    this.#begin(`task ${task}`, {
      name: `task ${task}`,
      // Fixing findings is part of the review.
      below: /^\d/.test(task) ? 'run' : 'stage',
      atMs,
      attributes: { [own.task]: task, [own.title]: this.#titles.get(task) ?? task },
    });
  }

  /** Begins a span below another one, or below the run if that is not open. */
  #begin(
    key: string,
    given: Readonly<{
      name: string;
      atMs: number;
      attributes: Attributes;
      below?: string;
      of?: readonly (string | number)[];
    }>,
  ): void {
    const { below = 'run', ...rest } = given;
    this.#spans.begin(key, { ...rest, parentId: this.#spans.idOf(below) ?? this.#spans.idOf('run') });
  }

  #describe(key: string, more: Attributes): void {
    this.#spans.change(key, ({ attributes }) => ({ attributes: { ...attributes, ...more } }));
  }
}

const persons: ReadonlySet<Fact['type']> = new Set([
  ...(['intervention', 'budgets-set', 'run-resumed'] as const),
]);
