// Programs on this machine: the desktop's notifications, and a command of the user's, which reads the event as JSON:
// a ralphex notify script's fields, and pawl's own.
import { defined } from '../../defined.ts';
import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import type { ChannelReading, ProgramCall, Transport } from '../means.ts';
import type { Message } from '../message.ts';

export function readDesktop(_: Address): ChannelReading {
  return { secrets: [], shown: '', means: { kind: 'program', call: callDesktop } };
}

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

function callDesktop({ title, body, priority }: Message, platform: string): ProgramCall {
  const [head, text] = [shorten(title, 120), shorten(body, 400)];
  if (platform === 'darwin') {
    const script = 'on run {head, body}\ndisplay notification body with title head\nend run';
    return { file: 'osascript', args: ['-e', script, head, text] };
  }
  const urgency = priority >= 5 ? 'critical' : priority <= 2 ? 'low' : 'normal';
  return {
    file: 'notify-send',
    args: ['--app-name=pawl', `--urgency=${urgency}`, '--', escapeMarkup(head), escapeMarkup(text)],
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
