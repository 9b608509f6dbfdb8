// A span as pawl makes it, whatever exports it.

export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** A span that has ended. Times are epoch milliseconds. */
export type TraceSpan = Readonly<{
  traceId: string;
  id: string;
  /** Absent for the trace’s first. */
  parentId?: string;
  isSampled: boolean;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** Why it ended badly; absent if it did not. */
  error?: string;
}>;
