// Makes spans of facts. Never holds the run up: it waits 2 s at most at the end; a failure is reported
// once.
import type { Event, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { Reporter } from '../report/reporter.ts';
import { own } from './attributes.ts';
import type { Export } from './export.ts';
import { placeOfSession, spansEnding } from './spans.ts';
import { sessionVariables } from './trace.ts';

export type TelemetryOptions = Readonly<{
  export: Export;
  tell(why: string): void;
  /** OTEL_RESOURCE_ATTRIBUTES as the user set it. */
  resource: string | undefined;
}>;

export const settleMs = 2_000;

export class Telemetry implements Reporter {
  readonly name = 'telemetry';
  readonly #options: TelemetryOptions;
  #isOver = false;
  #state: RunState | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  report(event: Stamped<Event>, state: RunState, before?: RunState): void {
    if (event.type === 'activity') return;
    this.#state = state;
    for (const span of spansEnding(event, state, before)) this.#options.export.span(span);
  }

  variablesOf(session: number, task: string | undefined): Readonly<Record<string, string>> {
    if (!this.#state) return {};
    const about = { [own.run]: this.#state.started.run, [own.session]: session, [own.task]: task };
    return sessionVariables(placeOfSession(this.#state, session), about, this.#options.resource);
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
}
