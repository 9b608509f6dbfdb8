// Parses blocks of the marker protocol: several lines of text between an opening marker and END. Like a marker, a block is
// only a hint, and counts only with the session's nonce and as the last thing the agent said.

/** A block's text, why something similar is not one, or nothing. */
export type BlockReading = Readonly<{ text: string } | { problem: string }> | undefined;

const end = /^<<<PAWL:END(?: ([0-9a-f]{4}))?>>>[ \t]*$/;

/** Parses the last block of a name, e.g. `PLAN_DRAFT`. */
export function parseBlock(answer: string, name: string, nonce: string): BlockReading {
  const lines = answer.split('\n').map((line) => line.replace(/\r$/, ''));
  const opening = new RegExp(`^<<<PAWL:${name}(?: ([0-9a-f]{4}))?>>>[ \\t]*$`);
  const from = lines.findLastIndex((line) => opening.test(line));
  if (from === -1) return undefined;
  if (opening.exec(lines[from] ?? '')?.[1] !== nonce)
    return { problem: `the line that opens ${name} does not carry the word ${nonce}` };
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const closing = end.exec(lines[last] ?? '');
  if (!closing) return { problem: `${name} does not end with <<<PAWL:END ${nonce}>>> as the last line` };
  if (closing[1] !== undefined && closing[1] !== nonce)
    return { problem: `the line that ends ${name} does not carry the word ${nonce}` };
  return { text: lines.slice(from + 1, last).join('\n') };
}
