// A command of the user's, which reads the event as JSON: a ralphex notify script's fields, and pawl's own.
import { defined } from '../../defined.ts';
import type { Transport } from '../means.ts';
import type { Message } from '../message.ts';

export function readCommand(command: string): Transport {
  return {
    kind: 'program',
    call: (message) => ({
      file: 'sh',
      args: ['-c', command],
      stdin: `${JSON.stringify(describe(message))}\n`,
    }),
  };
}

/** `status`: `success` or `failure` at a run's end, else the occasion. */
function describe({ title, body, priority, events }: Message): object {
  const [event] = events;
  const { about, end } = event ?? {};
  const status = end ? (end.exit === 0 ? 'success' : 'failure') : (event?.occasion ?? 'test');
  return {
    status,
    mode: about?.mode ?? '',
    plan_file: about?.plan ?? '',
    branch: about?.branch ?? '',
    duration: formatDuration(end?.durationMs ?? 0),
    files: end?.files ?? 0,
    additions: end?.insertions ?? 0,
    deletions: end?.deletions ?? 0,
    ...defined({ error: end?.error }),
    ...{ title, text: body, priority, events },
  };
}

/** In Go's form: `1h2m3s`. */
function formatDuration(ms: number): string {
  const s = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(s / 3_600), Math.floor(s / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${s >= 60 ? `${minutes}m` : ''}${s % 60}s`;
}
