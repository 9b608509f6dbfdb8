// Formats commands and files as markdown code, whatever backticks they contain.

export function codeSpan(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  return marks.length === 1 ? `\`${text}\`` : `${marks} ${text} ${marks}`;
}

/** A block of code, in a fence longer than any inside. */
export function codeBlock(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text.trimEnd()}\n${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
