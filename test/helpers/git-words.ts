// Which git command lines change a repository: what is not known to only read is taken for one that writes.

/** Commands that only read, whatever their arguments. */
const readers: ReadonlySet<string> = new Set(
  (
    '--version cat-file check-attr check-ignore check-ref-format diff diff-files diff-index diff-tree for-each-ref grep ' +
    'log ls-files ls-tree merge-base rev-list rev-parse show show-ref status var version'
  ).split(' '),
);

/** True for a git command line that may change objects, refs, config or the work tree. A status may refresh the index it is given, which changes no entry. */
export function changesRepository(words: readonly string[]): boolean {
  const [command = '', ...args] = withoutSettings(words);
  if (readers.has(command)) return false;
  if (command === 'hash-object') return args.includes('-w');
  if (command === 'symbolic-ref') return args.filter((word) => !word.startsWith('-')).length > 1;
  if (command === 'config') return !args.some((word) => /^(--get|--list|-l$|--show)/.test(word));
  return true;
}

function withoutSettings(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => word !== '-c' && words[index - 1] !== '-c');
  return words.slice(at);
}
