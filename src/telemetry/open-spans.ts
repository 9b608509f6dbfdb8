// The open spans of a run, keyed by what they describe, and the trace they belong to. Ids come from the run's first fact:
// the same thing has the same id in every life of the run.
import { defined } from '../defined.ts';
import { errorType } from './names.ts';
import type { Attributes, Span } from './span.ts';
import { spanIdOf, type TraceParent, traceIdOf } from './trace.ts';

type Open = {
  id: string;
  parentId: string | undefined;
  name: string;
  startMs: number;
  attributes: Attributes;
  events: Span['events'];
  links: Span['links'];
  /** It will end badly. */
  error?: string;
};

/** A span that begins; `id`: what it is of, where that is not its key and how often there was one. */
type Beginning = Readonly<{
  name: string;
  parentId: string | undefined;
  atMs: number;
  attributes: Attributes;
  of?: readonly (string | number)[];
}>;

/** Spans that are open. */
export class OpenSpans {
  readonly #emit: (span: Span) => void;
  readonly #open = new Map<string, Open>();
  /** How often a span of a key was begun. */
  readonly #counts = new Map<string, number>();
  #seed = '';
  #traceId = '';
  #caller: TraceParent | undefined;

  /** `emit`: is given each span at its end. */
  constructor(emit: (span: Span) => void) {
    this.#emit = emit;
  }

  /** Begins the trace: `seed` is what no other run has. */
  seed(seed: string): void {
    this.#seed = seed;
    this.#traceId = traceIdOf(seed);
  }

  /** Becomes part of a caller’s trace; false where it is part of another one already. */
  join(caller: TraceParent): boolean {
    if (this.#caller) return this.#caller.spanId === caller.spanId;
    this.#caller = caller;
    this.#traceId = caller.traceId;
    return true;
  }

  /** Where the span of a thing is, whether it has begun, is open or has ended. */
  placeOf(...thing: readonly (string | number)[]): TraceParent {
    const spanId = spanIdOf(this.#seed, ...thing);
    return { traceId: this.#traceId, spanId, isSampled: this.#caller?.isSampled ?? true };
  }

  /** Id of the open span of a key. */
  idOf(key: string): string | undefined {
    return this.#open.get(key)?.id;
  }

  /** Begins a span; one of that key that is still open ends. */
  begin(key: string, { name, parentId, atMs, attributes, of }: Beginning): void {
    this.end(key, atMs);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const { spanId: id } = this.placeOf(...(of ?? [key, count]));
    this.#open.set(key, { id, parentId, name, startMs: atMs, attributes, events: [], links: [] });
  }

  /** Changes an open span, if there is one of that key. */
  change(key: string, by: (span: Readonly<Open>) => Partial<Open>): void {
    const span = this.#open.get(key);
    if (span) Object.assign(span, by(span));
  }

  /** Ends a span, if there is one of that key; with `error` badly. */
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

/** A word of few values, for those who group by it. */
function typeOf(error: string): string {
  return /^[a-z-]+$/.test(error) ? error : 'failed';
}
