// Splits a program's arguments into options and the rest. The caller says which options take a value.

/** A command line's words: options by name with their last value, and the other words in order. */
export type Words = Readonly<{
  /** Value of an option that takes one, empty for a switch. */
  options: ReadonlyMap<string, string>;
  /** Values of all options that take one, in order, by name. */
  values: readonly (readonly [name: string, value: string])[];
  /** Words that are not options, including those after `--`. */
  rest: readonly string[];
}>;

/**
 * Parses words; `withValue` names the options whose value is the next word; with `stop` everything after the first plain
 * word is left alone.
 */
export function readOptions(
  words: readonly string[],
  withValue: readonly string[],
  { stop = false }: { stop?: boolean } = {},
): Words {
  const options = new Map<string, string>();
  const values: [string, string][] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, values, rest: [...rest, ...words.slice(at + 1)] };
    if (!/^-./.test(word)) {
      if (stop) return { options, values, rest: words.slice(at) };
      rest.push(word);
      continue;
    }
    const [, name = word, joined] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? [];
    const glued = withValue.find(
      (option) => /^-[A-Za-z]$/.test(option) && !word.startsWith('--') && word.startsWith(option),
    );
    if (joined !== undefined) add(name, joined);
    else if (withValue.includes(word)) {
      at += 1;
      add(word, words[at] ?? '');
    } else if (glued) add(glued, word.slice(2));
    else options.set(word, '');
  }
  return { options, values, rest };

  function add(name: string, value: string): void {
    options.set(name, value);
    values.push([name, value]);
  }
}
