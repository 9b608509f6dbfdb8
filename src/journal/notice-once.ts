// A notice that a run says once, however often its cause is met, over all its starts.
import type { Emit } from '../event.ts';
import type { RunState } from './state.ts';

type Notice = Readonly<{ code: string; text: string }>;

/** Known by its text; by `code`, where the text can differ from time to time. */
export function noticeOnce(
  { emit, state }: Readonly<{ emit: Emit; state: () => RunState }>,
  notice: Notice,
  by: keyof Notice = 'text',
): void {
  if (!state().notices.some((known) => known[by] === notice[by])) emit({ type: 'noticed', ...notice });
}
