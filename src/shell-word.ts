// Words for a shell, in commands that are run or shown.

/** In quotes, whatever it holds. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** As it is where a shell takes it for just that, else in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : quoteForShell(word);
}
