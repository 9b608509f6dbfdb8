// The keyboard while a run works: single keys without Enter, and one line to type. Restores the terminal on every way
// out.
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type KeyDeed, pressKey, splitKeys, type Typing } from './key.ts';

export type RawInput = Readable & Readonly<{ setRawMode(isRaw: boolean): unknown }>;

export type Keys = Readonly<ReturnType<typeof openKeys>>;

/** `show`: the line being typed, if any. */
export function openKeys(
  input: RawInput,
  on: Readonly<{ deed: (deed: KeyDeed) => void; show: (typing: Typing | undefined) => void }>,
) {
  const decoder = new StringDecoder('utf8');
  let typing: Typing | undefined;
  let isHeld = false;
  const hear = (chunk: Buffer | string) => {
    for (const key of splitKeys(typeof chunk === 'string' ? chunk : decoder.write(chunk))) {
      const before = typing;
      const pressed = pressKey(typing, key);
      typing = pressed.typing;
      if (typing !== before) on.show(typing);
      if (pressed.deed) on.deed(pressed.deed);
    }
  };
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    input.off('data', hear);
    input.pause();
    setRaw(input, false);
  };
  const grab = () => {
    if (isHeld || !setRaw(input, true)) return;
    isHeld = true;
    input.on('data', hear);
    input.resume();
  };
  // Without a terminal the keyboard ends, not the run.
  input.on('error', release);
  grab();
  return {
    /** The terminal is others' until `grab`. */
    release,
    grab,
    /** Begins a line, unless one has begun; undefined cancels an empty answer: the rest of others would be keys. */
    type: (line: Typing | undefined) => {
      if (typing && (line || !typing.answer || typing.text !== '')) return;
      typing = line;
      on.show(typing);
    },
    [Symbol.dispose]: () => {
      release();
      input.off('error', release);
    },
  };
}

/** False if there is no terminal any more. */
function setRaw(input: RawInput, isRaw: boolean): boolean {
  try {
    input.setRawMode(isRaw);
    return true;
  } catch {
    return false;
  }
}
