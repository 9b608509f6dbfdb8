// What keys mean while a run works: input → keys, then a key and the text so far → an action. Pure.
import type { Wish } from './request.ts';

/** Undefined: single keys count. `now`: for the running session. `answer`: to the task that asks. */
export type Typing = Readonly<{ text: string; now: boolean; answer?: true }>;

/** `interrupt`, `suspend`: as the terminal itself would. */
export type KeyDeed =
  | Readonly<{ do: 'interrupt' } | { do: 'suspend' } | { do: 'help' } | { do: 'toggle-pause' }>
  | Readonly<{ do: 'say'; text: string }>
  | Wish;

export type Pressed = Readonly<{ typing?: Typing | undefined; deed?: KeyDeed }>;

/** An arrow or function key is one. */
export function splitKeys(chunk: string): readonly string[] {
  return chunk.match(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b[^\x1b]|[\s\S]/gu) ?? [];
}

export function pressKey(typing: Typing | undefined, key: string): Pressed {
  const always = signals[key];
  if (always) return { typing, deed: always };
  return typing ? typeKey(typing, key) : (singles[key] ?? {});
}

/** In raw mode the terminal only sends these. */
const signals: Readonly<Record<string, KeyDeed>> = {
  '\x03': { do: 'interrupt' },
  '\x1a': { do: 'suspend' },
  '\x1c': { do: 'pause', now: false },
};

const singles: Readonly<Record<string, Pressed>> = {
  p: { deed: { do: 'toggle-pause' } },
  r: { deed: { do: 'continue' } },
  q: { deed: { do: 'stop' } },
  '?': { deed: { do: 'help' } },
  a: { typing: { text: '', now: false, answer: true } },
  s: { typing: { text: '', now: false } },
  S: { typing: { text: '', now: true } },
};

const withoutLast = (text: string) => [...text].slice(0, -1).join('');

/** Arrows and others write nothing. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  '\x7f': withoutLast,
  '\b': withoutLast,
  '\x15': () => '',
  '\x17': (text) => text.replace(/\S*\s*$/, ''),
  '\t': (text) => `${text} `,
};

function typeKey(typing: Typing, key: string): Pressed {
  const { text, now, answer } = typing;
  const said = text.trim();
  const isSent = key === '\r' || key === '\n';
  if (isSent && said !== '')
    return { deed: answer ? { do: 'say', text: said } : { do: 'steer', text: said, now } };
  if (isSent || key === '\x1b' || key === '\x04') return {};
  const written = /^[\x00-\x1f\x7f-\x9f]/.test(key) ? text : text + key;
  return { typing: { ...typing, text: edits[key]?.(text) ?? written } };
}
