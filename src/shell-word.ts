// Quotes words for a shell.

export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** In quotes only where a shell would not take the word literally. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : quoteForShell(word);
}
