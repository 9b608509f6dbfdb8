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
  return typing ? typeKey(typing, key) : commandKey(key);
}

/** In raw mode the terminal only sends these. */
const signals: Readonly<Record<string, KeyDeed>> = {
  '\x03': { do: 'interrupt' },
  '\x1a': { do: 'suspend' },
  '\x1c': { do: 'pause', now: false },
};

function commandKey(key: string): Pressed {
  switch (key) {
    case 'p':
      return { deed: { do: 'toggle-pause' } };
    case 'r':
      return { deed: { do: 'continue' } };
    case 'q':
      return { deed: { do: 'stop' } };
    case '?':
      return { deed: { do: 'help' } };
    case 'a':
      return { typing: { text: '', now: false, answer: true } };
    case 's':
    case 'S':
      return { typing: { text: '', now: key === 'S' } };
    default:
      return {};
  }
}

function typeKey(typing: Typing, key: string): Pressed {
  const { text, now, answer } = typing;
  switch (key) {
    case '\r':
    case '\n':
      if (text.trim() === '') return {};
      return { deed: answer ? { do: 'say', text: text.trim() } : { do: 'steer', text: text.trim(), now } };
    case '\x1b':
    case '\x04':
      return {};
    case '\x7f':
    case '\b':
      return { typing: { ...typing, text: [...text].slice(0, -1).join('') } };
    case '\x15':
      return { typing: { ...typing, text: '' } };
    case '\x17':
      return { typing: { ...typing, text: text.replace(/\S*\s*$/, '') } };
    case '\t':
      return { typing: { ...typing, text: `${text} ` } };
    default:
      // Arrows and others write nothing.
      return { typing: /^[\x00-\x1f\x7f-\x9f]/.test(key) ? typing : { ...typing, text: text + key } };
  }
}
