// Numbers of things, as the reasons of verdicts word them. Pure.

/** `1 finding`, `3 findings`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
