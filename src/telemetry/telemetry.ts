// The reporter that makes spans and metrics from a run's facts. Never holds the run up: at the end it waits 2 s at most,
// and a failure is reported once.
import type { Event, Fact, Stamped } from '../event.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Export } from './export.ts';
import { Measures } from './measure.ts';
import { own } from './names.ts';
import type { TraceSpan } from './span.ts';
import { SpanTree } from './span-tree.ts';
import { sessionVariables } from './trace.ts';

export type TelemetryOptions = Readonly<{
  export: Export;
  /** The facts of a resumed run from before this start. */
  readPast(run: string): readonly Stamped<Fact>[];
  tell(why: string): void;
  /** OTEL_RESOURCE_ATTRIBUTES as the user set it. */
  resource: string | undefined;
}>;

/** How long a run’s end waits for the collector. */
export const settleMs = 2_000;

/** What ended this shortly before a kill may not have been sent. */
const lostMs = 10_000;

export class Telemetry implements Reporter {
  readonly name = 'telemetry';
  readonly #options: TelemetryOptions;
  readonly #measures = new Measures();
  readonly #tree = new SpanTree((span) => this.#take(span));
  /** Spans of earlier processes, while those are read again. */
  #past: TraceSpan[] | undefined;
  #isOver = false;
  #run = '';

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  greet({ started }: Readonly<{ started: Readonly<{ run: string }> }>): void {
    this.#run = started.run;
    this.#past = [];
    const facts = this.#options.readPast(started.run);
    for (const fact of facts) this.#tree.add(fact);
    const past = this.#past;
    this.#past = undefined;
    const life = facts.slice(
      facts.findLastIndex(({ type }) => type === 'run-started' || type === 'run-resumed'),
    );
    if (life.some(({ type }) => type === 'run-ended')) return;
    const since = this.#tree.lastMs - lostMs;
    for (const span of past) if (span.endMs >= since) this.#options.export.span(span);
  }

  report(event: Stamped<Event>): void {
    if (event.type === 'activity') return;
    if (event.type === 'run-started') this.#run = event.run;
    this.#tree.add(event);
    for (const measure of this.#measures.read(event)) this.#options.export.measure(measure);
  }

  /** What a session’s environment says about its span. */
  variablesOf(session: number, task: string | undefined): Readonly<Record<string, string>> {
    const about = { [own.run]: this.#run, [own.session]: session, [own.task]: task };
    return sessionVariables(this.#tree.placeOfSession(session), about, this.#options.resource);
  }

  async settle(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const clock = setTimeout(resolve, settleMs, 'late');
    try {
      const how = await Promise.race([this.#options.export.end(), late]);
      if (how === 'late') this.#options.tell(`no answer within ${settleMs / 1_000} s of the run’s end`);
    } catch (error) {
      this.#options.tell(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(clock);
    }
  }

  close(): void {}

  #take(span: TraceSpan): void {
    if (this.#past) this.#past.push(span);
    else this.#options.export.span(span);
  }
}
