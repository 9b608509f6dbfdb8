// The open spans of a run, keyed by what they describe, and the trace they belong to. Ids come from the run's first fact:
// the same thing has the same id in every process of the run.
import { defined } from '../defined.ts';
import { errorType } from './names.ts';
import type { Attributes, TraceSpan } from './span.ts';
import { spanIdOf, type TraceParent, traceIdOf } from './trace.ts';

type Open = {
  id: string;
  parentId: string | undefined;
  name: string;
  startMs: number;
  attributes: Attributes;
  events: TraceSpan['events'];
  links: TraceSpan['links'];
  error?: string;
};

/** A span that begins; `id`: what it is of, unless that is its key and how often there was one. */
type Beginning = Readonly<{
  name: string;
  parentId: string | undefined;
  atMs: number;
  attributes: Attributes;
  of?: readonly (string | number)[];
}>;

export class OpenSpans {
  readonly #emit: (span: TraceSpan) => void;
  readonly #open = new Map<string, Open>();
  /** How often a span with a key has begun. */
  readonly #counts = new Map<string, number>();
  #seed = '';
  #traceId = '';
  #caller: TraceParent | undefined;

  /** `emit`: gets each span at its end. */
  constructor(emit: (span: TraceSpan) => void) {
    this.#emit = emit;
  }

  /** Begins the trace: `seed` is unique to the run. */
  seed(seed: string): void {
    this.#seed = seed;
    this.#traceId = traceIdOf(seed);
  }

  /** Joins a caller’s trace; false if it already belongs to another. */
  join(caller: TraceParent): boolean {
    if (this.#caller) return this.#caller.spanId === caller.spanId;
    this.#caller = caller;
    this.#traceId = caller.traceId;
    return true;
  }

  /** The place of a thing's span, whether it is still to begin, is open or has ended. */
  placeOf(...thing: readonly (string | number)[]): TraceParent {
    const spanId = spanIdOf(this.#seed, ...thing);
    return { traceId: this.#traceId, spanId, isSampled: this.#caller?.isSampled ?? true };
  }

  /** Id of the open span with a key. */
  idOf(key: string): string | undefined {
    return this.#open.get(key)?.id;
  }

  /** Begins a span; one with that key that is still open ends. */
  begin(key: string, { name, parentId, atMs, attributes, of }: Beginning): void {
    this.end(key, atMs);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const { spanId: id } = this.placeOf(...(of ?? [key, count]));
    this.#open.set(key, { id, parentId, name, startMs: atMs, attributes, events: [], links: [] });
  }

  /** Changes the open span with a key, if there is one. */
  change(key: string, by: (span: Readonly<Open>) => Partial<Open>): void {
    const span = this.#open.get(key);
    if (span) Object.assign(span, by(span));
  }

  /** Ends the span with a key, if there is one; with `error`, badly. */
  end(
    key: string,
    atMs: number,
    { attributes = {}, ...how }: Readonly<{ attributes?: Attributes; error?: string | undefined }> = {},
  ): void {
    const span = this.#open.get(key);
    if (!span) return;
    this.#open.delete(key);
    const { id, parentId, name, startMs, events, links } = span;
    const error = how.error ?? span.error;
    this.#emit({
      ...{ traceId: this.#traceId, id, isSampled: this.#caller?.isSampled ?? true },
      ...defined({ parentId }),
      ...{ name, startMs, endMs: Math.max(startMs, atMs), events, links },
      attributes: {
        ...span.attributes,
        ...attributes,
        ...(error === undefined ? {} : { [errorType]: typeOf(error) }),
      },
      ...defined({ error }),
    });
  }

  /** Ends all of them, innermost first. */
  endAll(atMs: number, how: Readonly<{ attributes?: Attributes; error?: string }> = {}): void {
    for (const key of [...this.#open.keys()].reverse()) this.end(key, atMs, how);
  }
}

function typeOf(error: string): string {
  return /^[a-z-]+$/.test(error) ? error : 'failed';
}
